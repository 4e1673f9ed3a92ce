import { once } from "node:events";
import { existsSync, watch } from "node:fs";
import { dirname } from "node:path";
import { decideClaim } from "../../src/plans/domain/decide-delivery.ts";
import { openSqliteStore } from "../../src/store/sqlite/index.ts";
import { actionOf, appendOf, claimUntil, found, openOne, second } from "./contracts/plan-fixture.ts";

// Reads every open plan, waits for a file, then claims the first message of each as of what it read. Its last line is what it won.

const [home = "", start = "", name = "", epoch = "1"] = process.argv.slice(2);
const { plans, close } = openSqliteStore(home);
const states = [];
for (const planId of await plans.openPlans(10_000)) states.push(await found(plans, planId));
const begun = new AbortController();
const changes = watch(dirname(start), { signal: begun.signal });
changes.on("error", () => undefined);
process.stdout.write("ready\n");
while (!existsSync(start)) await once(changes, "change");
begun.abort();

const won: string[] = [];
for (const state of states) {
	const { planId } = state.plan;
	const held = claimUntil(Number(epoch), second(name === "a" ? 60 : 61));
	const events = decideClaim(openOne(state), actionOf(openOne(state)), held, Date.parse(second(0)));
	const { kind } = await plans.append(appendOf(state, planId, events, held.epoch));
	if (kind === "appended") won.push(planId);
}
process.stdout.write(`${JSON.stringify(won)}\n`);
close();
