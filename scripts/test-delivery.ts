import { parseArgs } from "node:util";
import { type DeliveryKill, deliveryKillRounds } from "../e2e/support/plans/delivery-kill-rounds.ts";

// `--kills <n>`: how often a bridge is killed while messages leave, over all channels; `--seed <n>`: a failing round again.
const { values } = parseArgs({ options: { kills: { type: "string", default: "30" }, seed: { type: "string" } } });
const seed = values.seed ?? String(Date.now() % 1_000_000);
if (!/^[1-9]\d{0,3}$/.test(values.kills) || !/^\d{1,9}$/.test(seed)) {
	console.error("usage: npm run test:delivery -- [--kills <number>] [--seed <number>]");
	process.exit(2);
}

console.log(`seed ${seed}`);
const { kills, expected, sent, rows, doubles, lost, strange } = await deliveryKillRounds({
	seed: Number(seed),
	kills: Number(values.kills),
});
console.table([...Map.groupBy(kills, ({ channel, point }) => `${channel}\0${point}`).values()].map(row));
for (const [name, messages] of Object.entries({ doubles, lost, strange }))
	for (const message of messages) console.log(`${name}: ${message}`);
console.log(`${kills.length} kills, ${expected} messages asked for, ${sent} messages and ${rows} rows arrived`);
console.log(`doubles ${doubles.length}, lost ${lost.length}`);
process.exitCode = doubles.length + lost.length + strange.length === 0 ? 0 : 1;

/** The kills at one point of a channel. */
function row(group: readonly DeliveryKill[]) {
	const sum = (count: (kill: DeliveryKill) => number) => group.reduce((total, kill) => total + count(kill), 0);
	return {
		channel: group[0]?.channel,
		point: group[0]?.point,
		kills: group.length,
		unanswered: sum(({ unanswered }) => unanswered),
		completed: sum(({ completed }) => completed),
		"unknown, proved": sum(({ unknownProved }) => unknownProved),
		"unknown, there": sum(({ unknownThere }) => unknownThere),
		"unknown, sent again": sum(({ unknownAgain }) => unknownAgain),
	};
}
