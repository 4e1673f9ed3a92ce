import { describe, expect, it } from "vitest";
import type { OpenStore } from "./store-under-test.ts";

export function processLedgerContract(name: string, open: OpenStore): void {
	describe(`${name}: child processes`, () => {
		it("remembers them across a restart until they are removed", async () => {
			await using store = await open();
			const [one, two] = [
				{ pid: 10, startTime: "100", label: "goose" },
				{ pid: 11, startTime: "101", label: "codex" },
			];
			await store.ports.processes.add(one);
			await store.ports.processes.add(two);
			await store.ports.processes.remove(two.pid);
			await store.ports.processes.remove(99);
			expect(await (await store.reopen()).processes.list()).toEqual([one]);
		});

		it("takes a reused pid as the new process", async () => {
			await using store = await open();
			await store.ports.processes.add({ pid: 10, startTime: "100", label: "goose" });
			const reused = { pid: 10, startTime: "200", label: "codex" };
			await store.ports.processes.add(reused);
			expect(await store.ports.processes.list()).toEqual([reused]);
		});
	});
}
