import { parseArgs } from "node:util";
import { deliveryKillRounds } from "../e2e/support/plans/delivery-kill-rounds.ts";

// `--kills <n>`: how often the bridge is killed while messages leave; `--seed <n>`: a failing round again.
const { values } = parseArgs({ options: { kills: { type: "string", default: "30" }, seed: { type: "string" } } });
const seed = values.seed ?? String(Date.now() % 1_000_000);
if (!/^[1-9]\d{0,3}$/.test(values.kills) || !/^\d{1,9}$/.test(seed)) {
	console.error("usage: npm run test:delivery -- [--kills <number>] [--seed <number>]");
	process.exit(2);
}

console.log(`seed ${seed}`);
const { kills, expected, mails, rows, doubles, lost, strange } = await deliveryKillRounds({
	seed: Number(seed),
	kills: Number(values.kills),
});
console.table(kills);
for (const [name, messages] of Object.entries({ doubles, lost, strange }))
	for (const message of messages) console.log(`${name}: ${message}`);
console.log(`${kills.length} kills, ${expected} messages asked for, ${mails} mails and ${rows} rows arrived`);
console.log(`doubles ${doubles.length}, lost ${lost.length}`);
process.exitCode = doubles.length + lost.length + strange.length === 0 ? 0 : 1;
