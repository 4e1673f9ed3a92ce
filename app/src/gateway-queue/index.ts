export {
	admit,
	drainOpenClawGatewayQueue,
	type LaneLimits,
	type LanePause,
	type LanePlace,
	type LaneState,
	laneOf,
	placesOf,
} from "./lane-state.ts";
export { OpenClawLane } from "./openclaw-lane.ts";
