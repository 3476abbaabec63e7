/* Gives allauth's script the ids of what it works on, says in words what became of a passkey, and shows what only works
   with scripts. */
(function () {
  "use strict";
  var words = {
    NotAllowedError: "No key was used. Nothing has changed: try again, or use another way.",
    InvalidStateError: "This key is in your account already.",
    SecurityError: "Keys work on an https address or on localhost, not on this address. Nothing has changed."
  };
  var line = document.querySelector("[data-passkey-status]");
  document.querySelectorAll("[data-needs-script]").forEach(function (part) {
    part.hidden = false;
  });
  if (line && !window.PublicKeyCredential) {
    line.textContent = window.isSecureContext
      ? "This browser does not know keys."
      : words.SecurityError;
  }
  document.querySelectorAll("[data-key-form]").forEach(function (part) {
    window.allauth.webauthn.forms[part.dataset.keyForm]({ ids: part.dataset });
  });
  document.addEventListener("allauth.error", function (event) {
    var name = event.detail && event.detail.exception && event.detail.exception.name;
    event.preventDefault();
    if (line) {
      line.textContent = words[name] || "The key could not be asked. Nothing has changed: try again, or use another way.";
    }
  });
})();
