import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { performance } from "node:perf_hooks";
import { tellBench } from "./parent.ts";

/** A minimal page that shows a stream: lines of JSON over node:http, each a paragraph of an empty page. */
const page = `<!doctype html><meta charset="utf-8"><title>bare</title><div id="log"></div><script>
globalThis.run = async (count, perSecond) => {
	const log = document.querySelector("#log");
	log.textContent = "";
	const sent = {};
	const { body } = await fetch("/lines?count=" + count + "&perSecond=" + perSecond);
	let rest = "";
	for await (const text of body.pipeThrough(new TextDecoderStream())) {
		const lines = (rest + text).split("\\n");
		rest = lines.pop();
		for (const line of lines) {
			const { n, at, text } = JSON.parse(line);
			sent[n] = at;
			log.appendChild(document.createElement("p")).textContent = text;
		}
		scrollTo(0, document.body.scrollHeight);
	}
	return sent;
};
</script>`;

/** Sends the requested number of lines per second; catches up at once after a late timer. */
function sendLines(response: ServerResponse, count: number, perSecond: number): void {
	response.writeHead(200, { "content-type": "application/x-ndjson" });
	const begin = performance.now();
	let n = 0;
	const timer = setInterval(() => {
		const due = Math.min(count, Math.floor(((performance.now() - begin) * perSecond) / 1000) + 1);
		while (n < due) {
			n++;
			response.write(`${JSON.stringify({ n, at: Date.now(), text: `tick ${n} ` })}\n`);
		}
		if (n < count) return;
		clearInterval(timer);
		response.end();
	}, 1);
}

const server = createServer((request, response) => {
	const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
	if (pathname === "/lines") return sendLines(response, Number(searchParams.get("count")), Number(searchParams.get("perSecond")));
	response.writeHead(200, { "content-type": "text/html" }).end(page);
});

server.listen(0, "127.0.0.1", () => tellBench({ port: (server.address() as AddressInfo).port }));
