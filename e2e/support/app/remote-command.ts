import type { BridgeProcess } from "../bridge/bridge-process.ts";
import { type CutMode, cuttingProxy } from "../machine/cutting-proxy.ts";
import { temporaryHome } from "../machine/temporary-home.ts";
import { type CommandEnd, runCommand } from "./command.ts";
import { syncedFiles } from "./thread-folder.ts";

export interface RemoteRun {
	readonly ended: CommandEnd;
	readonly cuts: number;
	readonly files: Readonly<Record<string, string>>;
}

/** Runs a script through `xworkmate run` in its own home, against a bridge elsewhere behind a proxy that cuts once. */
export async function runThroughCut(bridge: BridgeProcess, program: string, mode: CutMode, boundMs?: number): Promise<RemoteRun> {
	await using home = await temporaryHome();
	await using proxy = await cuttingProxy(bridge.port);
	proxy.mode = mode.kind === "cut" ? { ...mode, once: true } : mode;
	const env = { XWORKMATE_BRIDGE_URL: `http://127.0.0.1:${proxy.port}`, XWORKMATE_TOKEN: bridge.token };
	const ended = await runCommand(home, ["run", "--provider", "script", program], { env, ...(boundMs === undefined ? {} : { boundMs }) });
	return { ended, cuts: proxy.cuts, files: await syncedFiles(home) };
}
