import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { ContractError } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { startBridge, TOKEN } from "../bridge-under-test.ts";

it("a verification says how far it has come, then its result, and ends when its reader leaves", async () => {
	const left = Promise.withResolvers<void>();
	let runs = 0;
	await using bridge = await startBridge({
		verify: async (_params, whenGone, said) => {
			if (++runs === 2) throw new ContractError("NOT_FOUND");
			if (runs === 3) whenGone?.().addEventListener("abort", () => left.resolve());
			// Until it has been said twice: no more than four times a second.
			for (let receipts = 0; runs !== 1 || receipts < 6; receipts++) {
				await delay(100);
				if (whenGone?.().aborted === true) break;
				said?.({ receipts, of: 6 });
			}
			return { ok: true, runs: 1, receipts: 6, independence: "self_attested", problems: [] };
		},
	});
	const ask = (signal?: AbortSignal) =>
		fetch(`http://127.0.0.1:${bridge.port}/acp/rpc`, {
			method: "POST",
			headers: { authorization: `Bearer ${TOKEN}`, accept: "application/json, text/event-stream", "content-type": "application/json" },
			body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "xworkmate.receipts.verify", params: {} }),
			...(signal && { signal }),
		});
	const events = (text: string) => text.match(/^data: .*$/gm)?.map((line) => JSON.parse(line.slice("data: ".length))) ?? [];
	const [first, ...rest] = events(await (await ask()).text());
	expect(first).toMatchObject({ method: "xworkmate.receipts.progress", params: { of: 6 } });
	expect(rest.length).toBeLessThan(4);
	expect(rest.at(-1)).toMatchObject({ id: 1, result: { ok: true, receipts: 6 } });
	expect(events(await (await ask()).text())).toMatchObject([{ id: 1, error: { data: { code: "NOT_FOUND" } } }]);
	const reader = new AbortController();
	await ask(reader.signal);
	reader.abort();
	await left.promise;
});

it("a long call learns that its caller has closed the connection", async () => {
	const begun = Promise.withResolvers<AbortSignal>();
	await using bridge = await startBridge({
		verify: (_params, whenGone) => {
			const gone = whenGone?.();
			if (gone !== undefined) begun.resolve(gone);
			return new Promise((_resolve, reject) => gone?.addEventListener("abort", () => reject(new Error("gone"))));
		},
	});
	const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "xworkmate.receipts.verify", params: {} });
	const head = [
		"POST /acp/rpc HTTP/1.1",
		`host: 127.0.0.1:${bridge.port}`,
		`authorization: Bearer ${TOKEN}`,
		"accept: application/json",
		"content-type: application/json",
		`content-length: ${body.length}`,
	];
	const socket = connect(bridge.port, "127.0.0.1");
	socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
	const gone = await begun.promise;
	expect(gone.aborted).toBe(false);
	const aborted = new Promise((resolve) => gone.addEventListener("abort", resolve));
	socket.destroy();
	await aborted;
});
