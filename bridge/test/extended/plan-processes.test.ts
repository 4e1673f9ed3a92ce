import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DeliveryAction, PlanId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import type { PlanStore } from "../../src/ports/plans/plan-store.ts";
import { runScript, type ScriptProcess } from "../store/child-process.ts";
import { duePlan, found, second } from "../store/contracts/plan-fixture.ts";
import { openSqliteUnderTest } from "../store/sqlite-store-under-test.ts";

const PLANS = 25;
const EACH = 20;
const SENDER = "../plans/executor/sending-process.ts";
const PATIENT = { timeout: 120_000, interval: 200 };

/** Frozen before the hand-over it must not send when it wakes; after it no one else may; with the same epoch only the lease tells. */
const table = (["before", "between", "after"] as const).flatMap((point) => [
	{ point, owner: "of the same start" as const },
	{ point, owner: "that took over" as const },
]);

it.each(table)(
	"[T2-67] 500 messages, two processes, one frozen $point its sending and woken late, another $owner: none is doubled",
	async ({ point, owner }) => {
		await using scene = await openScene();
		await using first = scene.start(point);
		await lineOf(first, "frozen");
		await using other = scene.start("never", owner === "of the same start" ? scene.epoch : 0);
		await expect.poll(scene.waiting, PATIENT).toBe(0);
		const unknown = (await scene.actions()).filter(({ status }) => status === "unknown").length;
		signal(first, "SIGCONT");
		await lineOf(first, point === "before" ? "refused" : "left");
		await endOf(first);
		await endOf(other);
		expectNoneDoubled(await scene.actions(), scene.sent());
		// At most what was in the frozen one's hands.
		expect(unknown).toBeLessThanOrEqual(8);
		if (point !== "before") expect(unknown).toBeGreaterThanOrEqual(1);
	},
);

it("[T2-67] 500 messages, two processes that send at the same time: each leaves once", async () => {
	await using scene = await openScene();
	await using first = scene.start("never");
	await using other = scene.start("never");
	await expect.poll(scene.waiting, PATIENT).toBe(0);
	await endOf(first);
	await endOf(other);
	expectNoneDoubled(await scene.actions(), scene.sent());
	expect(new Set(scene.sent().map(([, pid]) => pid)).size).toBe(2);
	expect((await scene.actions()).filter(({ status }) => status === "completed")).toHaveLength(PLANS * EACH);
});

/** A store with 500 messages that may leave, and a journal of those that did. */
async function openScene() {
	const file = await openSqliteUnderTest();
	const store = file.ports.plans;
	const epoch = await store.beginEpoch(second(0));
	const plans: PlanId[] = [];
	for (let plan = 0; plan < PLANS; plan++) plans.push(await duePlan(store, `p${plan}`, epoch, { delivery: messages(plan) }));
	const journal = join(file.home, "journal");
	writeFileSync(journal, "");
	const actions = () => allActions(store, plans);
	return {
		epoch,
		actions,
		waiting: async () => (await actions()).filter(({ status }) => status === "pending" || status === "sending").length,
		/** Message and process of each that left. */
		sent: () => linesOf(journal).map((line) => line.split(" ")),
		start: (point: string, itsEpoch = epoch) => runScript(SENDER, file.home, journal, String(itsEpoch), point, "40"),
		[Symbol.asyncDispose]: () => file[Symbol.asyncDispose](),
	};
}

/** To forty recipients. */
function messages(plan: number): readonly unknown[] {
	return Array.from({ length: EACH }, (_, index) => ({
		channel: "email",
		content: `Words ${plan} ${index}`,
		recipient: `contact-${(plan * EACH + index) % 40}`,
	}));
}

async function allActions(store: PlanStore, plans: readonly PlanId[]): Promise<readonly DeliveryAction[]> {
	const states = await Promise.all(plans.map((planId) => found(store, planId)));
	return states.flatMap(({ newest }) => newest?.delivery ?? []);
}

function expectNoneDoubled(all: readonly DeliveryAction[], sent: readonly (readonly string[])[]): void {
	const left = sent.map(([id = ""]) => id);
	expect(all).toHaveLength(PLANS * EACH);
	expect(new Set(left).size).toBe(left.length);
	const ids = (...statuses: readonly string[]) =>
		all.filter(({ status }) => statuses.includes(status)).map(({ actionId }) => `${actionId}`);
	// What is said to have left has, and what has left is said to have, or to be unknown.
	expect(ids("completed").filter((id) => !left.includes(id))).toEqual([]);
	expect(left.filter((id) => !ids("completed", "unknown").includes(id))).toEqual([]);
	expect(ids("completed", "unknown")).toHaveLength(PLANS * EACH);
}

function linesOf(path: string): readonly string[] {
	return readFileSync(path, "utf8")
		.split("\n")
		.filter((line) => line !== "");
}

async function lineOf(sender: ScriptProcess, wanted: string): Promise<void> {
	for (let line = await sender.nextLine(); line !== wanted; line = await sender.nextLine())
		if (line === undefined) throw new Error(`the process ended before it said ${wanted}`);
}

/** Asks it to end, and waits until it has: by itself, or because it was taken over from. */
async function endOf(sender: ScriptProcess): Promise<void> {
	signal(sender, "SIGTERM");
	while ((await sender.nextLine()) !== undefined);
}

function signal({ pid }: ScriptProcess, name: NodeJS.Signals): void {
	if (pid === undefined) return;
	try {
		process.kill(pid, name);
	} catch (error) {
		// It has ended by itself.
		if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
	}
}
