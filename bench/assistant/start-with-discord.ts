import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { temporaryHome } from "../../e2e/support/machine/temporary-home.ts";
import { compare, type Result } from "../result.ts";
import { interleave } from "../rounds.ts";
import { untilReady } from "../until-ready.ts";

/**
 * Start of the bridge until it is ready, with Discord configured and without. The server that stands in for Discord never answers, which
 * must not delay the start.
 */
export async function benchStartWithDiscord(quick: boolean): Promise<readonly Result[]> {
	await using home = await temporaryHome();
	await using discord = createServer(() => {});
	await new Promise((resolve) => void discord.listen(0, "127.0.0.1", () => resolve(undefined)));
	const { port } = discord.address() as AddressInfo;
	const configured = {
		XWORKMATE_DISCORD_TOKEN: "bench.discord.token-0000000000000000000000",
		XWORKMATE_DISCORD_API: `http://127.0.0.1:${port}/api`,
		XWORKMATE_DISCORD_APPROVERS: "100000000000000001",
		XWORKMATE_DISCORD_CHANNELS: "200000000000000001",
	};
	const measures = {
		without: async () => (await untilReady(home)).milliseconds,
		with: async () => (await untilReady(home, configured)).milliseconds,
	};
	await interleave(1, measures);
	const samples = await interleave(quick ? 3 : 9, measures);
	discord.closeAllConnections();
	return [
		compare(samples, {
			name: "start of the bridge with Discord configured, until it is ready",
			unit: "ms",
			against: "without",
			baseline: "without",
			measured: "with",
			aim: { atMost: 1.15 },
		}),
	];
}
