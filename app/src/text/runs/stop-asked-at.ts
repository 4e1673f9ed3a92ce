import type { Turn } from "../../threads/domain/thread.ts";

export interface StopTimes {
	readonly cancelRequestedAt?: Turn["cancelRequestedAt"] | undefined;
	readonly stoppingSince?: Turn["stoppingSince"] | undefined;
}

/** When a run was asked to stop: by the user in this app or, as far as the bridge has reported it, by another program or with its plan. */
export function stopAskedAt(turn: StopTimes | undefined): Turn["stoppingSince"] {
	return turn?.cancelRequestedAt ?? turn?.stoppingSince;
}
