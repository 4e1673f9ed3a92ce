import type { AppApi } from "../../api/app-api.ts";
import { oneLine } from "../../text/printable.ts";

/**
 * What a terminal prints when the app stops. Runs on this computer end with the app's own bridge; runs on a gateway continue there, and
 * queued turns are resumed at the next start.
 */
export async function stoppingLines(api: Pick<AppApi, "listThreads" | "gatewayQueue">, endsBridge: boolean): Promise<readonly string[]> {
	const { active } = await api.gatewayQueue();
	const atGateway = new Set(active.map(({ turnId }) => turnId));
	const isCut = ({ pendingTurnId, turns }: Awaited<ReturnType<AppApi["listThreads"]>>[number]) =>
		turns.some(({ turnId, status }) => turnId === pendingTurnId && status === "running" && !atGateway.has(turnId));
	const cut = endsBridge ? (await api.listThreads({ archived: false })).filter(isCut) : [];
	if (cut.length === 0) return ["Stopping."];
	const what = cut.length === 1 ? "1 run on this computer" : `${cut.length} runs on this computer`;
	return [
		`Stopping. ${what} will be interrupted:`,
		...cut.map(({ title, threadId }) => `  ${oneLine(title, 80)} (${oneLine(threadId, 200)})`),
	];
}
