import { describe, expect, it } from "vitest";
import { ContractError, ErrorCode, errorCatalogue, sentence, WireError } from "../src/index.ts";

describe("a contract error", () => {
	it.each(ErrorCode.options)("%s goes over the wire with its number, its code and a fix", (code) => {
		const wire = new ContractError(code).toWire();
		expect(WireError.parse(wire)).toEqual(wire);
		expect(wire).toEqual({
			code: errorCatalogue[code].number,
			message: errorCatalogue[code].meaning,
			data: { code, retryable: errorCatalogue[code].retryable, fix: errorCatalogue[code].fix },
		});
	});

	it("carries what exactly was wrong, and keeps its cause to itself", () => {
		const error = new ContractError("INTERNAL", { detail: "the disk is full", fix: "free some space", cause: new Error("secret") });
		expect(error.toWire()).toEqual({
			code: -32603,
			message: "The disk is full.",
			data: { code: "INTERNAL", retryable: true, detail: "The disk is full.", fix: "Free some space." },
		});
		expect(JSON.stringify(error.toWire())).not.toContain("secret");
		expect(error.cause).toBeInstanceOf(Error);
	});

	it("says everything in whole sentences", () => {
		for (const { meaning, fix } of Object.values(errorCatalogue)) {
			expect(sentence(meaning)).toBe(meaning);
			expect(sentence(fix)).toBe(fix);
			expect(`${meaning} ${fix}`).not.toMatch(/;|\b(?:anew|nobody|whoever|by itself|back-up)\b/);
		}
	});
});

it("names no method in a fix, since people read it too", () => {
	for (const [code, { fix }] of Object.entries(errorCatalogue)) expect(fix, code).not.toMatch(/\bxworkmate\.\w+/);
});
