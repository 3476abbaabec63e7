"""What people may fairly type into the course's own questions (=), and what is wrong (!); ``|`` between answers.

The unfair ones are near in words or in the matter: they must stay wrong whatever is folded away.
"""

from __future__ import annotations

SHORT = """
format-to-try-first
= E4M3 (FP8) | fp8_e4m3 | FP8. | the FP8 format | “FP8” | 8bit float | fp8/e4m3 | FP-8 | FP8 or float8 | W8A8 (FP8)
= an 8-bit floating point format | F8 | FP8 (8-bit floating point) | FP8, E4M3 | Float8_E4M3FN
= FP8 E4M3 format | FP8 quantization (W8A8) | FP8 weights and activations | E4M3 format
! FP8 (INT8) | W8A8 | FP16 | INT8 | E5M2 | FP | 8 bit | NVFP4/FP8 | BF16 | not FP8
price-of-chunking
= time until first token | latency to first token | TTFT. | the TTFT | time-to-first-token | Time to First Token (TTFT)
= TTFT, time to first token | first token latency. | the time to the first token | time_to_first_token | latency of first token (TTFT) | delay until the first token
= TTFT of the long document | its TTFT | first token delay | time until its first token
! latency | token latency | time to last token | TPOT | TTFT (TPOT) | time to second token | time between tokens | TTFT/ITL
bound-at-300-tokens
= compute | the compute | Compute bound | compute-bound. | compute (arithmetic) | arithmetic | compute/arithmetic
= the arithmetic bound | "compute" | FLOPs | computation bound | bound by compute
= compute, not bandwidth | computations | math | the computing bound
! memory bandwidth | compute and bandwidth | compute (bandwidth) | compute or memory | capacity | communication | memory compute | not compute | bandwidth, not compute
draft-and-target-share
= the same tokenizer and vocabulary | tokenizer/vocabulary | tokenizer & vocabulary | Tokenizer. | a tokenizer
= tokenizer (vocabulary) | vocab | the vocabulary | tokenizer, vocabulary | vocabulary / tokenizer | the tokenizer (and vocabulary)
= tokeniser and vocabulary | same tokenizers | tokenizer + vocabulary | their tokenizer | token vocab
! embedding | hidden size | tokens | tokenizer (architecture) | KV cache | token | LM head
kept-between-builds
= the tactic timing cache | timing cache. | timing_cache | timing-cache | the timing cache file | TensorRT timing cache
= “timing cache” | TIMING CACHE | timing cache (tactic cache) | tactic timings | --timingCacheFile | a timing cache
= timings cache | tactic timings cache | cached timings | the cache of timings
! cache | calibration cache | timing cache (engine) | tactics | the engine | engine timing | plan file
width-that-tolerates-cuts
= feed-forward dimension | FFN intermediate size | FFN layers | ffn_hidden_size | the FFN | FFN (feed-forward)
= feed forward channels. | feed-forward network (FFN) | FFN/MLP | intermediate_size | the feed-forward (FFN) channels
= feedforward width | FFN/MLP intermediate channels | FFN hidden dimension | feed-forward hidden dimension | FFN (feed-forward) channels
! hidden_size | attention heads | FFN, hidden size | the heads | layers | forward channels | channels | hidden (FFN)
exchange-that-stays
= allreduce operation | AllReduce (sum) | All-Reduce | all_reduce | the all-reduce | an AllReduce. | all reduce
= ncclAllReduce | nccl_all_reduce | all-reduce (NCCL) | all-reduces
= allreduce collective operation | AllReduce of the activations | tensor parallel allreduce
! reduce | all-gather | all-reduce/all-gather | reduce-scatter | all-to-all | all | gather and reduce
unit-of-the-tool
= GiB. | GiB (gibibyte) | GiB | the GiB | gibibytes (GiB) | “GiB” | in GiB | Gibibytes | GiB, gibibytes | (GiB)
= GiByte | GibiByte | GiBs
! GB | Gib | Gb | GiB (GB) | MiB | GB/GiB | TiB | gB | Gibs | GiBit
scheme-that-runs
= W8A16 | w8a16. | W8/A16 | W8 A16 | W8_A16 | W8A16 (FP8) | FP8 W8A16 | the W8A16 scheme | “W8A16” | W8A16 (weight-only)
= W8A16 (FP8 weights, BF16 activations) | W8A16 FP8 Marlin
! W8A8 | W16A8 | W8A16/W8A8 | W8 | A16 | W8A1 | W16A16
setting-that-keeps-apart
= max_num_tokens setting | maximum number of tokens | max-num-tokens | --max_num_tokens | `max_num_tokens` | max num tokens
= max_num_tokens = 8,192 | max_num_tokens (8192) | the max_num_tokens limit | max_num_tokens: 8192 | maxNumTokens
= max_num_tokens of 8192
! max_batch_size | max_num_tokens or max_batch_size | num_tokens | 8,192 | chunked context | max_seq_len | batch tokens | max_batch_size and max_num_tokens | max_tokens | max tokens
"""

LESS = """
setting-that-keeps-apart
= the token limit | tokens per step | token budget | token budget per step | token limit (max_num_tokens) | max_num_batched_tokens
price-of-chunking
= prefill time | the prefill latency | TTFT (prefill time)
unit-of-the-tool
= gib | GIB. | the gib
"""

GAPS = """
crossovers-on-h200 c1
= 206 | 206 FLOP/byte | ~206 | 206.0 | about 206 | 206. | 206 FLOPs/byte | ≈ 206 | 206,04 | 206 flop per byte
! 412 | 296 | 20.6 | 206 tokens | 205
crossovers-on-h200 c2
= 51.5 tokens | 51.5 | 51,5 | ~51.5 | 51.5 tokens per step | 52 tokens | 51.5. | about 51.5 | (51.5) | 51.51
! 412 | 515 | 51.5 ms | 103 | 5.15
crossovers-on-h200 c3
= the compute | compute | Compute bound | compute-bound | arithmetic. | the compute bound | compute (arithmetic) | computing
= “compute” | FLOPs | compute/arithmetic
= compute units
! bandwidth | memory | compute or bandwidth | bound | compute time per byte
crossovers-on-h200 c4
= bandwidth | the bandwidth | memory bandwidth | memory-bandwidth bound | bandwidth. | the memory bandwidth | memory (bandwidth)
= HBM bandwidth | bandwidth-bound | Memory Bandwidth
= memory traffic
! compute | bandwidth (compute) | capacity | width | arithmetic
sizing-the-cache c1
= 96 | 96 KiB | 96KiB | 96.0 | 96 kibibytes | 96 KiB of cache | ~96 | 96. | 96 kib | 96.0 KiB
! 96 MiB | 768 | 48 | 98304 | 9.6
sizing-the-cache c2
= 1.5 | 1.5 GiB | 1.5GiB | 1,5 | 1.50 | 3/2 | 1.5 gibibytes | about 1.5 GiB | 1.50 GiB | 1.5.
! 15 | 1.5 MiB | 12 | 1536 | 0.75
sizing-the-cache c3
= 13 | 13 requests | thirteen | 13 such requests | 13. | thirteen requests | 13 such | (13) | Thirteen | about 13
! 13.3 | 14 | 12 | 13 GiB | 26
sizing-the-cache c4
= 26 | 26 requests | twenty-six | twenty six | 26. | Twenty-Six | (26) | ~26 | “26” | the 26
! 27 | 26.7 | 13 | 25 | 52
note-on-prefix-hits c1
= prefill | the prefill | prefill phase | pre-fill | Pre-fill phase | prefill. | prompt processing | prefilling | prefill stage
= prefill (prompt processing) | context phase
! decode | prompt | prefill and decode | generation | prefix
note-on-prefix-hits c2
= first | 1st | first token | the first token | First. | the first | very first token | initial | first output token | “first”
! second | last | next | token | each
note-on-prefix-hits c3
= decode | decoding | the decode | decode phase | generation | Decoding. | token generation | token-generation | decode stage
= decode (generation)
! prefill | decode and prefill | tokens | the cache | prompt processing
note-on-prefix-hits c4
= beginning | the start | start | front | very beginning | head | Beginning. | the very start | start (beginning) | prefix
= start of the prompt
! end | middle | start or end | same | block
estimate-for-a-draft c1
= 1.875 | 1.88 | 15/8 | 1.9 | ~1.875 | 1.875 tokens | 1.88 tokens on average | about 1.875 | 1.875. | 15 / 8
! 1.75 | 18.75 | 2 | 0.9375 | 1.5
estimate-for-a-draft c2
= 1.44 | 1.44x | 1.44 × | 1,44 | 1.442 | 1.44 times | ≈1.44 | about 1.44 | 1.44. | 1.45
= 1.46
! 14.4 | 1.875 | 1.04 | 0.69 | 1.54
estimate-for-a-draft c3
= 0.99 | .99 | 0,99 | 0.99x | 0.987 | ~0.99 | 0.9868 | about 0.99 | 0.99. | 0.99 times
! 1.01 | 99 | 0.9 | 1.9 | 1.44
estimate-for-a-draft c4
= slower | slightly slower | a little slower | a bit slower | slower than | Slower. | 1 % slower | about 1% slower
= the slower | marginally slower | a bit slower.
! faster | slower or faster | unchanged | as fast | slightly faster
decision-memo c1
= PTQ | PTQ result | post-training quantization | Post training quantization (PTQ) | post-training quantisation | the PTQ
= ptq. | PTQ (post-training quantization) | post_training_quantization | “PTQ”
! QAT | PTQ/QAT | quantization | BF16 | training
decision-memo c2
= QAD | qad. | quantization-aware distillation | QAD (quantization-aware distillation) | the QAD | quantization aware distillation
= quantisation-aware distillation | Quantization-Aware Distillation (QAD) | “QAD” | QAD, quantization-aware distillation
! QAT | distillation | QAD or QAT | PTQ | quantization-aware training
decision-memo c3
= QAT | qat. | quantization-aware training | QAT (quantization-aware training) | the QAT | quantization aware training
= quantisation-aware training | Quantization-Aware Training (QAT) | “QAT” | QAT; quantization-aware training
! QAD | training | QAT/QAD | PTQ | fine-tuning
estimate-for-sparsity c1
= 1 | one | 1.0 | 1x | 1× | 1 times | one times | 1 times as fast | 1.00 | 1.0x
! 2 | 0.5 | 1.6 | 10 | 0
estimate-for-sparsity c2
= 1.6 | 1.6x | 1.6 × | 1.6 times | 1,6 | 1.60 | ~1.6 | 1.6 times as fast | about 1.6 | 1.6.
! 2 | 16 | 1.33 | 0.625 | 1.7
estimate-for-sparsity c3
= 60 | 60 % | 60% | 60 percent | 60 per cent | sixty | sixty percent | ~60 % | about 60% | 60.0 %
! 37.5 | 6 | 75 | 600 | 40
estimate-for-sparsity c4
= Ampere | NVIDIA Ampere | the Ampere generation | Ampere (A100) | ampere. | Ampere architecture | A100 | Ampere/A100
= NVIDIA Ampere (A100) | Ampere GPUs
! Hopper | Turing | Ampere or Hopper | Volta | H100
comparison-of-batches c1
= 0.8 | .8 | 0,8 | 0.8 s | 0.8s | 0.8 seconds | 0.8 sec | 0.80 | about 0.8 | 0.8 s at batch 1
! 8 | 0.8 ms | 1.25 | 800 | 0.08
comparison-of-batches c2
= 2 | 2 s | 2s | two | 2.0 | two seconds | 2 seconds | 2 sec | ~2 | 2.0 s
! 0.125 | 2 ms | 20 | 8 | 12.8
comparison-of-batches c3
= throughput | the throughput | total throughput | tokens/s | tokens per second | throughput (tokens/s) | Throughput.
= aggregate throughput | tok/s | overall throughput
! latency | tokens | throughput per user | speed | TPOT
comparison-of-batches c4
= 2.5 | 2.5x | 2.5 × | 2.5 times | 2,5 | 2.50 | ~2.5 | 2.5 times the time | about 2.5 | 2.5.
! 16 | 0.4 | 25 | 6.4 | 2.5 s
forecast-for-fp8-cache c1
= twice | double | 2x | 2 × | two | two times | 2 | twofold | 2-fold | twice as many
! half | four | 4x | 20 | the same
forecast-for-fp8-cache c2
= weights | the weights | model weights | weight tensors | parameters | Weights. | the model's weights | weights (parameters)
= the model parameters | weight
! cache | weights and cache | activations | KV cache | heads
forecast-for-fp8-cache c3
= batch | the batch | batch size | batch_size | number of sequences | concurrency | batch size (number of sequences) | Batch.
= the number of requests | number of concurrent requests
! weights | batch or weights | prompt | vocabulary | bandwidth
plan-for-an-evaluation c1
= 9.8 | ±9.8 | 9.8 points | 9,8 | 9.8 % | 9.8 percentage points | ±9.8 points | ~9.8 | 9.8. | about 9.8
! 4.9 | 98 | 0.098 | 19.6 | 5
plan-for-an-evaluation c2
= 4.9 | ±4.9 | 4.9 points | 4,9 | 4.9 % | 4.9 percentage points | ±4.9 points | ~4.9 | 4.9. | about 4.9
! 9.8 | 49 | 0.049 | 2.45 | 5
plan-for-an-evaluation c3
= four | 4 | 4x | 4 × | four times | 4 times | 4 times as many | fourfold | 4-fold | Four.
! 2 | two | sixteen | 40 | 4.9
round-trip-in-4-bits c1
= 0.2 | .2 | 0,2 | 0.20 | 0.2. | ~0.2 | about 0.2 | the 0.2 | (0.2) | “0.2”
! 2 | 0.02 | 5 | 0.1 | -0.2
round-trip-in-4-bits c2
= 0.4 | .4 | 0,4 | 0.40 | 0.4. | ~0.4 | about 0.4 | the 0.4 | (0.4) | “0.4”
! 0.33 | 0.2 | 4 | 2 | -0.4
round-trip-in-4-bits c3
= 1 | 1.0 | one | 1. | One | 1.00 | (1) | ~1 | 1,0 | “1”
! 0.2 | 7 | 10 | 0 | -1
round-trip-in-4-bits c4
= 0 | 0.0 | zero | Zero. | 0. | 0.00 | (0) | 0,0 | “0” | the zero
! 0.33 | 1 | 0.4 | 0.2 | 10
"""
