import type { MethodInput, MethodResult } from "@xworkmate/contracts";
import { Clock } from "lucide-react";
import { useEffect, useState } from "react";
import { Icon } from "../components/icon.tsx";
import { sayError } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { zonedTime } from "./zoned-time.ts";

/** While a schedule is typed it is not asked for with every key. */
const TYPING_MS = 250;

type Schedule = MethodResult<"xworkmate.plans.schedule">;
export interface ReadSchedule {
	readonly schedule?: Schedule;
	readonly problem?: string;
}

/** What the bridge makes of a schedule; asked for again when it changes. */
export function useSchedule(wanted: MethodInput<"xworkmate.plans.schedule">): ReadSchedule {
	const [answer, setAnswer] = useState<ReadSchedule>({});
	const asked = JSON.stringify(wanted);
	useEffect(() => {
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
	}, [asked]);
	return answer;
}

interface NextTimesProps {
	readonly schedule: Schedule | undefined;
	readonly timezone: string;
}

/** The next times of a schedule, in its zone and, where that is another, by this computer's clock. */
export function NextTimes({ schedule, timezone }: NextTimesProps) {
	return (
		<ul className="next5">
			{schedule?.times.map(({ at, note }) => {
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

/** True: its times are those of another zone than this computer's. */
export function isElsewhere(timezone: string): boolean {
	return timezone !== new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
