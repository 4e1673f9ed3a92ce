import { join } from "node:path";
import { sessionFolder, type ThreadId } from "@xworkmate/contracts";
import type { RunFiles, ThreadFiles } from "../../src/api/ui-api.ts";
import type { UiScene } from "./ui-scene.ts";

export interface Delivered {
	readonly threadId: ThreadId;
	readonly folder: string;
	list(): Promise<readonly RunFiles[]>;
}

/** A thread whose runs have delivered these files, one run after the other. */
export async function deliver(ui: UiScene, ...runs: readonly Readonly<Record<string, string | Buffer>>[]): Promise<Delivered> {
	await ui.signIn();
	let threadId: ThreadId | undefined;
	for (const files of runs) {
		ui.scene.bridge.onRun = (run) => void run.text("here").end("completed", files);
		const sent = await ui.scene.send("make files", threadId);
		await ui.scene.end(sent);
		threadId = sent.threadId;
	}
	if (threadId === undefined) throw new Error("no run was asked for");
	const id = threadId;
	const list = async () => (await ui.call<ThreadFiles>("listFiles", { threadId: id })).result.runs;
	return { threadId, folder: join(ui.scene.home, "threads", sessionFolder(threadId)), list };
}
