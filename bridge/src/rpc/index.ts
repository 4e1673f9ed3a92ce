export { type CapabilityOptions, describeCapabilities } from "./capabilities.ts";
export { type Envelope, readEnvelope } from "./envelope.ts";
export { createMethodTable, type MethodTable, type MethodTableOptions } from "./method-table.ts";
export { isOwnFailure, normalizeError } from "./normalize-error.ts";
export { createRpcDispatcher, errorResponse, type RpcDispatcher } from "./rpc-dispatcher.ts";
export { isStreamMethod, type RunOpening, type StreamMethod, type StreamOpening, type VerificationOpening } from "./stream-opening.ts";
