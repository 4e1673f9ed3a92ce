export { ArtifactDownload, type ArtifactSource, type ReceiptsOf } from "./artifact-download.ts";
export { BridgeClient } from "./bridge-client.ts";
export { type BridgeEndpoint, type EndpointSettings, findBridge } from "./bridge-endpoint.ts";
export { RestartedBridge } from "./restarted-bridge.ts";
export { TurnTransport, type TurnTransportOptions } from "./turn-transport.ts";
export { BridgeTransportError, type TransportCode } from "./wire/bridge-errors.ts";
export { type ClientBounds, clientBounds } from "./wire/client-bounds.ts";
export { failureVerdict } from "./wire/failure-verdict.ts";
export type { Connection, EndDetail, TurnEnd, TurnPosition, TurnSink, TurnSubmission, UpdateItem } from "./wire/turn-end.ts";
