import { benchExecutor } from "../delivery/executor.ts";
import { benchFirstByte } from "../delivery/first-byte.ts";
import { benchGate } from "../delivery/gate.ts";
import { benchManyPlans } from "../delivery/many-plans.ts";
import { benchPlansPage } from "../delivery/plans-page.ts";
import type { BenchOptions } from "../options.ts";
import type { Result } from "../result.ts";

/** Messages on their way, and plans that wait for their time. */
export async function benchDelivery({ quick }: BenchOptions): Promise<readonly Result[]> {
	return [
		...benchGate(quick),
		...(await benchExecutor(quick)),
		...(await benchFirstByte(quick)),
		...(await benchManyPlans(quick)),
		await benchPlansPage(quick),
	];
}
