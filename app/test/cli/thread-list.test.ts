import { expect, it } from "vitest";
import { type AppApi, LISTED_THREADS } from "../../src/api/app-api.ts";
import { listThreads } from "../../src/cli/thread-commands.ts";
import { CoreScene } from "../support/core-scene.ts";
import { RecordingConsole } from "../support/recording-console.ts";

async function printed(api: AppApi, archived = false, json = false): Promise<readonly string[]> {
	const console = new RecordingConsole();
	await listThreads({ api, console, json }, archived);
	return console.lines;
}

it("says that there are no threads yet only where there is none, and else how many are archived", async () => {
	await using scene = await CoreScene.open();
	scene.bridge.onRun = (run) => void run.text("done").end("completed");
	const end = async (prompt: string) => {
		const sent = await scene.send(prompt);
		await scene.end(sent);
		return sent.threadId;
	};
	expect(await printed(scene.api)).toEqual(['No threads yet. Start one: npm run -s xworkmate -- run "..."']);
	const first = await end("one");
	await scene.api.archiveThread({ threadId: first });
	expect(await printed(scene.api)).toEqual(["1 thread is archived. List it: npm run -s xworkmate -- threads list --archived"]);
	await scene.api.archiveThread({ threadId: await end("two") });
	expect(await printed(scene.api)).toEqual(["2 threads are archived. List them: npm run -s xworkmate -- threads list --archived"]);
	expect(await printed(scene.api, false, true)).toEqual(["[]"]);
	await scene.api.restoreThread({ threadId: first });
	expect(await printed(scene.api)).toEqual([expect.stringContaining("one")]);
	await scene.api.archiveThread({ threadId: first });
	const archived = await scene.api.listThreads({ archived: true });
	const many = Array.from({ length: LISTED_THREADS }, () => archived)
		.flat()
		.slice(0, LISTED_THREADS);
	const api: Pick<AppApi, "listThreads" | "gatewayQueue"> = {
		listThreads: async (query) => (query.archived ? many : []),
		gatewayQueue: () => scene.api.gatewayQueue(),
	};
	expect(await printed(api as AppApi)).toEqual([expect.stringMatching(/^500 or more threads are archived\. List them: /)]);
});

it("says of the archive that it is empty", async () => {
	await using scene = await CoreScene.open();
	expect(await printed(scene.api, true)).toEqual(["No archived threads."]);
});
