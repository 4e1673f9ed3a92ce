import { createInterface } from "node:readline";
import { decideClaim } from "../../src/plans/domain/decide-delivery.ts";
import { openSqliteStore } from "../../src/store/sqlite/index.ts";
import { actionOf, appendOf, claimUntil, found, openOne, second } from "./contracts/plan-fixture.ts";

// Reads every open plan, then claims the first message of one, as of what it read, for each line that names a plan. It answers each with "won"
// or "lost".

const [home = "", name = "", epoch = "1"] = process.argv.slice(2);
const { plans, close } = openSqliteStore(home);
const states = new Map<string, Awaited<ReturnType<typeof found>>>();
for (const planId of await plans.openPlans(10_000)) states.set(planId, await found(plans, planId));
process.stdout.write("ready\n");

for await (const line of createInterface({ input: process.stdin })) {
	const state = states.get(line);
	if (state === undefined) throw new Error(`${line} is no open plan`);
	const held = claimUntil(Number(epoch), second(name === "a" ? 60 : 61));
	const events = decideClaim(openOne(state), actionOf(openOne(state)), held, Date.parse(second(0)));
	const { kind } = await plans.append(appendOf(state, state.plan.planId, events, held.epoch));
	process.stdout.write(kind === "appended" ? "won\n" : "lost\n");
}
close();
