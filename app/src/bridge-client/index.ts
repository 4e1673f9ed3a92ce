export { ArtifactDownload, type ArtifactSource } from "./artifact-download.ts";
export { BridgeClient } from "./bridge-client.ts";
export { type BridgeEndpoint, type EndpointSettings, findBridge } from "./bridge-endpoint.ts";
export { BridgeTransportError, type TransportCode } from "./bridge-errors.ts";
export { type ClientBounds, clientBounds } from "./client-bounds.ts";
export { failureVerdict } from "./failure-verdict.ts";
export type { Connection, EndDetail, TurnEnd, TurnPosition, TurnSink, TurnSubmission, UpdateItem } from "./turn-end.ts";
export { TurnTransport, type TurnTransportOptions } from "./turn-transport.ts";
