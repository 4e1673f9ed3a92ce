import { runCommand } from "../app/command.ts";
import type { BridgeProcess } from "../bridge/bridge-process.ts";
import type { TemporaryHome } from "../machine/temporary-home.ts";
import { waitUntil } from "../machine/wait-until.ts";

/** Where WhatsApp calls the bridge of a home, by the bridge's own log. */
export async function webhookAddress(home: TemporaryHome): Promise<string> {
	return announced(async () => (await runCommand(home, ["logs"])).stdout);
}

/** Where WhatsApp calls a bridge since it was last started. */
export async function webhookAddressOf(bridge: BridgeProcess): Promise<string> {
	return announced(async () => bridge.outputOfStart);
}

async function announced(log: () => Promise<string>): Promise<string> {
	const origin = await waitUntil("the address of the webhooks", 10_000, async () => {
		const line = (await log()).split("\n").findLast((one) => one.includes("listening for webhooks")) ?? "";
		return /(http:\/\/127\.0\.0\.1:\d+)/.exec(line)?.[1];
	});
	return `${origin}/webhooks/whatsapp`;
}
