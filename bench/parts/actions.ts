import { benchCalls } from "../actions/calls.ts";
import { benchParked } from "../actions/parked.ts";
import { benchPrograms } from "../actions/programs.ts";
import { benchReportedCalls } from "../actions/reported-calls.ts";
import { benchToolListed } from "../actions/tool-listed.ts";
import { benchVerify } from "../actions/verify.ts";
import type { BenchOptions } from "../options.ts";
import type { Result } from "../result.ts";

/** Programs, typed tools, receipts, and runs that wait for the user. */
export async function benchActions(options: BenchOptions): Promise<readonly Result[]> {
	const { quick } = options;
	return [
		...(await benchPrograms(quick)),
		...(await benchCalls(quick)),
		...(await benchParked(quick)),
		...(await benchVerify(quick)),
		...(await benchToolListed(quick)),
		...(await benchReportedCalls(options)),
	];
}
