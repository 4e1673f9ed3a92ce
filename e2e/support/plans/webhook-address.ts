import { runCommand } from "../app/command.ts";
import type { TemporaryHome } from "../machine/temporary-home.ts";
import { waitUntil } from "../machine/wait-until.ts";

/** Where WhatsApp calls the bridge of a home, by the bridge's own log. */
export async function webhookAddress(home: TemporaryHome): Promise<string> {
	const origin = await waitUntil("the address of the webhooks", 10_000, async () => {
		const { stdout } = await runCommand(home, ["logs"]);
		const line = stdout.split("\n").findLast((one) => one.includes("webhooks are listened for")) ?? "";
		return /(http:\/\/127\.0\.0\.1:\d+)/.exec(line)?.[1];
	});
	return `${origin}/webhooks/whatsapp`;
}
