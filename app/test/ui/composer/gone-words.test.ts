import { expect, it } from "vitest";
import { goneWords } from "../../../src/ui/composer/attach-again.ts";

it("asks for the files that have to be attached again, whether it is one or several", () => {
	expect(goneWords(["a.txt"])).toBe("No longer available. Attach this file again: a.txt");
	expect(goneWords(["a.txt", "b.txt"])).toBe("No longer available. Attach these files again: a.txt, b.txt");
});
