import { useState } from "react";
import { useStore } from "../connection/store.ts";
import { useApp } from "../state/app-context.tsx";
import { useReportedAsOf } from "../state/use-reported-as-of.ts";

export interface Regained {
	/** How often the page has begun to hear of changes again: from another connection to the app, or because the bridge reports them again. */
	readonly count: number;
	/** When the page stopped hearing of changes, if what it shows has not been read since. */
	readonly lostAt?: string | undefined;
}

interface Heard extends Regained {
	readonly connections: number;
	readonly reported: string | undefined;
}

/**
 * Whether what was read may be out of date because changes weren't reported for some time since.
 * @param readIn the `count` when the read began that what is shown is from
 */
export function useRegained(readIn: number): Regained {
	const connections = useStore(useApp().link.connections);
	const reported = useReportedAsOf();
	const [heard, setHeard] = useState<Heard>({ count: 0, connections, reported });
	if (heard.connections === connections && heard.reported === reported) return heard;
	const isRegained = heard.connections !== connections || reported === undefined;
	// Two losses without a read in between: what is shown was last known to be current before the first.
	const lostAt = readIn === heard.count ? heard.reported : (heard.lostAt ?? heard.reported);
	const next = { connections, reported, count: heard.count + 1, lostAt };
	const now = isRegained ? next : { ...heard, reported };
	setHeard(now);
	return now;
}
