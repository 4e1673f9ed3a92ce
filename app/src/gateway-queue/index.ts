export { GatewayQueue } from "./gateway-queue.ts";
export {
	admit,
	drainOpenClawGatewayQueue,
	type GatewayQueueLimits,
	type GatewayQueuePosition,
	type GatewayQueueState,
	placesOf,
	type QueuePause,
	queueStateOf,
} from "./gateway-queue-state.ts";
