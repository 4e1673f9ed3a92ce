import { benchClaimCheck } from "../assistant/claim-check.ts";
import { benchStartWithDiscord } from "../assistant/start-with-discord.ts";
import { benchTurnWithoutTools } from "../assistant/turn-without-tools.ts";
import type { BenchOptions } from "../options.ts";
import type { Result } from "../result.ts";

/** The bridge's own agent, the check of what agents claim, and Discord. */
export async function benchAssistant({ quick }: BenchOptions): Promise<readonly Result[]> {
	return [...(await benchTurnWithoutTools(quick)), ...(await benchClaimCheck(quick)), ...(await benchStartWithDiscord(quick))];
}
