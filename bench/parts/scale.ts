import type { BenchOptions } from "../options.ts";
import type { Result } from "../result.ts";
import { benchLongRun } from "../scale/long-run.ts";
import { benchManyAtOnce } from "../scale/many-at-once.ts";
import { benchManyRuns } from "../scale/many-runs.ts";
import { benchManyStreams } from "../scale/many-streams.ts";
import { benchManyThreads } from "../scale/many-threads.ts";
import { benchManyTurns } from "../scale/many-turns.ts";
import { benchSearch } from "../scale/search.ts";

/** What grows with use, each compared with a small one. */
export async function benchScale({ quick }: BenchOptions): Promise<readonly Result[]> {
	return [
		...(await benchLongRun(quick)),
		...(await benchManyAtOnce(quick)),
		...(await benchManyStreams(quick)),
		...(await benchManyRuns(quick)),
		...(await benchManyThreads(quick)),
		...(await benchSearch(quick)),
		...(await benchManyTurns(quick)),
	];
}
