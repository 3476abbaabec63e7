"""What import contracts cannot see: tables, sources, pages, addresses, the layout."""
