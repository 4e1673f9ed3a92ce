import { describe, expect, it } from "vitest";
import { Inflow } from "../../../src/processes/frames/inflow.ts";

/** Resolves after every promise that could settle has. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("what children send at once", () => {
	it("is bounded, first come first served", async () => {
		const inflow = new Inflow(100);
		const order: string[] = [];
		const admit = async (name: string, bytes: number) => {
			const place = await inflow.admit(bytes);
			order.push(name);
			return place;
		};
		const first = await admit("first", 60);
		const second = admit("second", 60);
		const third = admit("third", 10);
		await settled();
		expect(order).toEqual(["first"]);
		first[Symbol.dispose]();
		await Promise.all([second, third]);
		expect(order).toEqual(["first", "second", "third"]);
	});

	it("lets somebody in who is larger than all that is allowed, alone", async () => {
		const inflow = new Inflow(100);
		const large = await inflow.admit(1000);
		let small: Disposable | undefined;
		const waiting = inflow.admit(1).then((place) => {
			small = place;
		});
		await settled();
		expect(small).toBeUndefined();
		large[Symbol.dispose]();
		await waiting;
		expect(small).toBeDefined();
	});
});
