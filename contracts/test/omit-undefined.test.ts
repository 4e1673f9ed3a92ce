import { expect, expectTypeOf, it } from "vitest";
import { omitUndefined } from "../src/index.ts";

interface Wanted {
	readonly kind: "a";
	readonly name?: string;
	readonly size?: number;
}

function described(name: string | undefined, size: number | undefined): Wanted {
	return { kind: "a", ...omitUndefined({ name, size }) };
}

it("leaves out what is undefined, and nothing else", () => {
	const empty = [null, 0, "", false, Number.NaN];
	expect(Object.keys(omitUndefined({ a: undefined, ...empty }))).toEqual(["0", "1", "2", "3", "4"]);
	expect(Object.keys(described(undefined, 0))).toEqual(["kind", "size"]);
	expect(described("x", undefined)).toStrictEqual({ kind: "a", name: "x" });
});

it("has the type of what is left: required members stay required, the others may be absent and are never undefined", () => {
	const name: string | undefined = ["x"].at(0);
	const left = omitUndefined({ name, size: 1 });
	expectTypeOf(left.size).toEqualTypeOf<number>();
	expectTypeOf(left).toExtend<{ readonly size: number; readonly name?: string }>();
	// A member that may be absent is not one that is there, nor one that may be undefined.
	expectTypeOf(left).not.toExtend<{ readonly name: string }>();
	expectTypeOf<{ name: undefined; size: number }>().not.toExtend<typeof left>();
});
