import { expect, test } from "vitest";
import { KeyedQueue } from "../../src/async/keyed-queue.ts";

/** Work that ends when told to. Its beginning and end are noted. */
function work(name: string, notes: string[]) {
	const { promise, resolve, reject } = Promise.withResolvers<string>();
	const act = async () => {
		notes.push(`begin ${name}`);
		try {
			return await promise;
		} finally {
			notes.push(`end ${name}`);
		}
	};
	return { act, end: () => resolve(name), fail: () => reject(new Error(name)) };
}

test("the work for a key begins when the work before it has ended, and the work for other keys doesn't wait", async () => {
	const notes: string[] = [];
	const [first, second, other] = [work("first", notes), work("second", notes), work("other", notes)];
	const queue = new KeyedQueue<string>();
	const firstDone = queue.add("a", first.act);
	const secondDone = queue.add("a", second.act);
	const otherDone = queue.add("b", other.act);
	other.end();
	expect(await otherDone).toBe("other");
	expect(notes).toStrictEqual(["begin first", "begin other", "end other"]);
	second.end();
	first.end();
	expect(await Promise.all([firstDone, secondDone])).toStrictEqual(["first", "second"]);
	expect(notes.slice(3)).toStrictEqual(["end first", "begin second", "end second"]);
});

test("failed work fails for its caller only: the next piece begins", async () => {
	const notes: string[] = [];
	const [first, second] = [work("first", notes), work("second", notes)];
	const queue = new KeyedQueue<string>();
	const firstDone = queue.add("a", first.act);
	const secondDone = queue.add("a", second.act);
	first.fail();
	await expect(firstDone).rejects.toThrow("first");
	second.end();
	expect(await secondDone).toBe("second");
});
