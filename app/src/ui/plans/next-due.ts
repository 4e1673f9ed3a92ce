import type { Plan } from "@xworkmate/contracts";
import { fill } from "../../strings/interface.ts";
import { plansPageWords } from "../../strings/plans/plans-page-words.ts";
import { localTime } from "../../text/local-time.ts";
import { localZone } from "../../text/zoned-time.ts";

/** True if this computer is in a different time zone. */
export function isElsewhere(timezone: string): boolean {
	return timezone !== localZone();
}

/** A plan's next due time by this computer's clock, which is said if the plan's own words name another time zone. */
export function nextDueWords(nextDueAt: string, { timezone }: Pick<Plan, "timezone">, now: number): string {
	const time = localTime(nextDueAt, now);
	return isElsewhere(timezone) ? fill(plansPageWords.onYourClock, { time }) : time;
}
