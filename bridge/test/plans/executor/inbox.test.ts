import { ContractError } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { decideCancel } from "../../../src/plans/domain/decide-occurrence.ts";
import { FakeClock } from "../../ports/fake-clock.ts";
import { duePlan, found, openOne, second } from "../../store/contracts/plan-fixture.ts";
import { openSqliteUnderTest } from "../../store/sqlite-store-under-test.ts";
import { openBridge, openScene, SOON } from "./executor-scene.ts";
import { InboxChannel } from "./scripted-channel.ts";

const toInbox = (content: string) => [{ channel: "dashboard", content }];

async function openInbox(terms: Parameters<typeof openScene>[0] = {}) {
	const inbox = new InboxChannel();
	const scene = await openScene({ ...terms, beside: [inbox] });
	/** The words of the rows, oldest first. */
	const rows = async () => {
		const { items } = await scene.store.inbox({ limit: 200 });
		return items.map(({ text }) => text.split(" ")[1]).toReversed();
	};
	return { ...scene, inbox, rows };
}

it("many messages of the inbox are written together, in their order", async () => {
	await using scene = await openInbox({ limits: { sendsPerHour: 1_000 } });
	const words = Array.from({ length: 130 }, (_, index) => `w${index}`);
	const plans = [];
	for (const [index, word] of words.entries()) plans.push(await scene.plan(`p${index}`, toInbox(word)));
	scene.executor.begin();
	await expect.poll(() => scene.rows(), SOON).toEqual(words);
	for (const planId of plans) expect(await scene.first(planId)).toMatchObject({ status: "completed", attempts: 1, proof: "delivered" });
	expect(scene.errors).toEqual([]);
});

it("messages of the inbox that are written together do not pass an hour's limit together", async () => {
	await using scene = await openInbox({ limits: { sendsPerHour: 12 } });
	const plans = await Promise.all(Array.from({ length: 15 }, (_, index) => scene.plan(`p${index}`, toInbox(`w${index}`))));
	scene.executor.begin();
	const statuses = async () => (await Promise.all(plans.map((planId) => scene.first(planId)))).map(({ status }) => status).toSorted();
	await expect.poll(statuses, SOON).toEqual([...Array(12).fill("completed"), ...Array(3).fill("needs_review")]);
	expect(await scene.rows()).toHaveLength(12);
});

it("the same text of two plans is taken for a mistake, though both would be written together", async () => {
	await using scene = await openInbox();
	const [one, two] = [await scene.plan("p1", toInbox("same")), await scene.plan("p2", toInbox("same"))];
	scene.executor.begin();
	await expect.poll(() => scene.first(two), SOON).toMatchObject({ status: "needs_review", code: "DUPLICATE_CONTENT", attempts: 0 });
	expect(await scene.first(one)).toMatchObject({ status: "completed" });
	expect(await scene.rows()).toEqual(["same"]);
});

it("a message of the inbox whose plan is changed while it is built is built anew, and one that is cancelled then has no row", async () => {
	await using scene = await openInbox();
	const { promise: building, resolve: build } = Promise.withResolvers<void>();
	scene.inbox.building = building;
	// The first is being built, and the second waits for it.
	const [renamed, cancelled] = [await scene.plan("p1", toInbox("one")), await scene.plan("p2", toInbox("two"))];
	scene.executor.begin();
	await scene.inbox.asked;
	await scene.log.change(cancelled, (state) => decideCancel(openOne(state)));
	await scene.log.change(renamed, ({ plan }) => [{ body: { kind: "task:changed", plan: { ...plan, title: "Renamed" } } }]);
	build();
	await expect.poll(() => scene.first(renamed), SOON).toMatchObject({ status: "completed" });
	expect(await scene.first(cancelled)).toMatchObject({ status: "failed", code: "CANCELLED", attempts: 0 });
	expect((await scene.store.inbox({ limit: 9 })).items).toMatchObject([{ messageId: "p1-1-1", title: "Renamed" }]);
});

it("a message of the inbox that can't be built is no reason to keep the next one back", async () => {
	const messageOf = async (occurrence: { readonly planId: string }) =>
		Promise.reject(new ContractError(occurrence.planId === "p1" ? "NOT_FOUND" : "DISK_FULL"));
	await using scene = await openInbox({ parts: { messageOf } });
	const [one, two] = [await scene.plan("p1", toInbox("one")), await scene.plan("p2", toInbox("two"))];
	scene.executor.begin();
	await expect.poll(() => scene.first(one), SOON).toMatchObject({ status: "needs_review", code: "ATTACHMENT_MISSING", attempts: 1 });
	await expect.poll(() => scene.first(two), SOON).toMatchObject({ status: "pending", attempts: 1, notBefore: second(30) });
	expect(await scene.rows()).toEqual([]);
});

it("a bridge that another has taken over from writes no row of the inbox", async () => {
	await using file = await openSqliteUnderTest();
	const store = file.ports.plans;
	const inbox = new InboxChannel();
	const { promise: building, resolve: build } = Promise.withResolvers<void>();
	inbox.building = building;
	const first = await openBridge(store, { clock: new FakeClock(Date.parse(second(0))), channels: [inbox] });
	const planId = await duePlan(store, "p1", first.log.epoch, { delivery: toInbox("one") });
	first.executor.begin();
	const next = await openBridge(store, { clock: new FakeClock(Date.parse(second(1))), channels: [new InboxChannel()] });
	build();
	await expect.poll(() => first.errors, SOON).toMatchObject([{ code: "STORE_REFUSED" }]);
	expect((await found(store, planId)).newest?.delivery[0]).toMatchObject({ status: "pending", attempts: 0 });
	await next.executor.recover();
	next.executor.begin();
	await expect.poll(async () => (await found(store, planId)).newest?.status, SOON).toBe("completed");
	expect((await store.inbox({ limit: 9 })).items).toHaveLength(1);
	await first.executor[Symbol.asyncDispose]();
	await next.executor[Symbol.asyncDispose]();
});
