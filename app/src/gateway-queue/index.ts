export { GatewayQueue } from "./gateway-queue.ts";
export { admit, drainOpenClawGatewayQueue, type GatewayQueueState, placesOf, queueStateOf } from "./gateway-queue-state.ts";
