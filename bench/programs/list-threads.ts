import type { ThreadId } from "@xworkmate/contracts";
import { z } from "zod";
import { openApp } from "../../app/src/core/open-app.ts";
import { openAppStore } from "../../app/src/store/open-app-store.ts";
import { tellBench } from "./parent.ts";

/**
 * The app of a home without its server and its bridge: ready once a page would have its list of threads. A message lets it search for
 * texts one after the other and say how long each took; or finish what an app does while it rests; or change a thread and read it again,
 * as a page that shows it does, with the bytes of the whole thread and of what the change sent.
 */
const opened = openAppStore(process.argv[2] ?? "");
const app = openApp({ home: opened.owned.home, bridgeUrl: "http://127.0.0.1:9", token: "no bridge is asked" }, opened);
const { value: first } = await app.api.changes()[Symbol.asyncIterator]().next();
if (first?.type !== "state") throw new Error("the first line of the changes is the state");
const { threadId } = first.state.threads.at(-1) ?? first.state.threads[0] ?? {};
if (threadId === undefined) throw new Error("a home without threads");

const Job = z.object({ search: z.array(z.string()).optional(), rest: z.boolean().optional() });
process.on("message", (sent) => void perform(Job.parse(sent)).then((answer) => process.send?.(answer)));
tellBench({});

async function perform({ search, rest = false }: z.infer<typeof Job>) {
	if (rest) return finishIndex();
	return search === undefined ? readAgain(threadId) : searchFor(search);
}

async function searchFor(texts: readonly string[]) {
	const ms: number[] = [];
	const found: number[] = [];
	for (const text of texts) {
		const start = performance.now();
		found.push((await app.api.searchThreads({ text })).threads.length);
		ms.push(performance.now() - start);
	}
	return { ms, found };
}

function finishIndex() {
	while (opened.store.upkeep.step());
	return {};
}

async function readAgain(of: ThreadId) {
	const whole = await app.api.readThread({ threadId: of });
	await app.api.renameThread({ threadId: of, title: "A new title" });
	const changed = await app.api.readThread({ threadId: of, ...(whole.mark !== undefined && { since: whole.mark }) });
	return { whole: JSON.stringify(whole).length, changed: JSON.stringify(changed).length };
}
