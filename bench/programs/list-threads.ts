import { openApp } from "../../app/src/core/open-app.ts";
import { tellBench } from "./parent.ts";

/**
 * The app of a home without its server and its bridge: ready once a page would have its list of threads. A message lets it change a
 * thread and read it again, as a page that shows it does; it answers with the bytes of the whole thread and of what the change sent.
 */
const app = openApp({ home: process.argv[2] ?? "", bridgeUrl: "http://127.0.0.1:9", token: "no bridge is asked" });
const { value: first } = await app.api.changes()[Symbol.asyncIterator]().next();
if (first?.type !== "state") throw new Error("the first line of the changes is the state");
const { threadId } = first.state.threads.at(-1) ?? first.state.threads[0] ?? {};
if (threadId === undefined) throw new Error("a home without threads");

process.on("message", () => void readAgain(threadId).then((bytes) => process.send?.(bytes)));
tellBench({});

async function readAgain(of: typeof threadId & string) {
	const whole = await app.api.readThread({ threadId: of });
	await app.api.renameThread({ threadId: of, title: "A new title" });
	const changed = await app.api.readThread({ threadId: of, ...(whole.mark !== undefined && { since: whole.mark }) });
	return { whole: JSON.stringify(whole).length, changed: JSON.stringify(changed).length };
}
