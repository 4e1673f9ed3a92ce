import { useState } from "react";
import { useStore } from "../connection/store.ts";
import { useApp } from "../state/app-context.tsx";
import { useReportedAsOf } from "../state/use-reported-as-of.ts";

export interface Regained {
	/** How many times the page has begun to receive changes again: over a new connection to the app, or because the bridge reports again. */
	readonly count: number;
	/** When the page stopped receiving changes, if what the page shows has not been read since. */
	readonly lostAt?: string | undefined;
}

interface Heard extends Regained {
	readonly connections: number;
	readonly reported: string | undefined;
}

/**
 * Whether what was read may be out of date because changes went unreported for some time after the read.
 * @param readIn the `count` at the beginning of the read whose result is shown
 */
export function useRegained(readIn: number): Regained {
	const connections = useStore(useApp().link.connections);
	const reported = useReportedAsOf();
	const [heard, setHeard] = useState<Heard>({ count: 0, connections, reported });
	if (heard.connections === connections && heard.reported === reported) return heard;
	const isRegained = heard.connections !== connections || reported === undefined;
	// After two losses without a read in between, what is shown was last known to be current before the first loss.
	const lostAt = readIn === heard.count ? heard.reported : (heard.lostAt ?? heard.reported);
	const next = { connections, reported, count: heard.count + 1, lostAt };
	const now = isRegained ? next : { ...heard, reported };
	setHeard(now);
	return now;
}
