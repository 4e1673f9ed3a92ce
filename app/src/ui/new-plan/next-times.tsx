import type { MethodInput, MethodResult } from "@xworkmate/contracts";
import { Clock } from "lucide-react";
import { useEffect, useState } from "react";
import { Icon } from "../components/icon.tsx";
import { sayError } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { isElsewhere } from "../plans/next-due.ts";
import { useBridgeNow } from "../state/app-context.tsx";
import { zonedTime } from "./zoned-time.ts";

/** How long to wait after a keystroke before sending the typed schedule to the bridge. */
const TYPING_MS = 250;

type Schedule = MethodResult<"xworkmate.plans.schedule">;
export interface ReadSchedule {
	readonly schedule?: Schedule;
	readonly problem?: string;
}

/**
 * How the bridge reads a schedule, and the times that are still to come. Requested again when the schedule changes or a time passes.
 * `wanted` is undefined while the schedule is not complete; then nothing is requested.
 */
export function useSchedule(wanted: MethodInput<"xworkmate.plans.schedule"> | undefined): ReadSchedule {
	const [answer, setAnswer] = useState<ReadSchedule>({});
	const [passed, setPassed] = useState<string>();
	const now = useBridgeNow();
	const asked = wanted && JSON.stringify(wanted);
	const times = answer.schedule?.times ?? [];
	const last = times.findLast(({ at }) => Date.parse(at) <= now)?.at;
	// `passed` is kept even when the next answer no longer contains this time. Otherwise, that answer would cause another request.
	if (last !== undefined && last !== passed) setPassed(last);
	// biome-ignore lint/correctness/useExhaustiveDependencies: requested again when a time has passed
	useEffect(() => {
		if (asked === undefined) return setAnswer({});
		let isOld = false;
		const timer = setTimeout(() => {
			callApp("planSchedule", JSON.parse(asked)).then(
				(schedule) => !isOld && setAnswer({ schedule }),
				(error: unknown) => !isOld && setAnswer({ problem: sayError(error) }),
			);
		}, TYPING_MS);
		return () => {
			isOld = true;
			clearTimeout(timer);
		};
	}, [asked, passed]);
	if (answer.schedule === undefined || last === undefined) return answer;
	return { schedule: { ...answer.schedule, times: times.filter(({ at }) => Date.parse(at) > now) } };
}

interface NextTimesProps {
	readonly schedule: Schedule | undefined;
	readonly timezone: string;
	/** Shown beside each time for which the bridge gives no note. */
	readonly note?: string | undefined;
}

/** The next times of a schedule, in its time zone and, if that is different, by this computer's clock. */
export function NextTimes({ schedule, timezone, note: ownNote }: NextTimesProps) {
	return (
		<ul className="next5">
			{schedule?.times.map(({ at, note = ownNote }) => {
				const { there, here } = zonedTime(at, timezone);
				return (
					<li key={at}>
						<span>{there}</span>
						<span className="n2">{isElsewhere(timezone) ? `(${here})` : ""}</span>
						{note !== undefined && (
							<p className="moved">
								<Icon of={Clock} small />
								{note}
							</p>
						)}
					</li>
				);
			})}
		</ul>
	);
}
