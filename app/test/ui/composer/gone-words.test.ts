import { expect, it } from "vitest";
import { goneWords } from "../../../src/ui/composer/attach-again.ts";

it("asks for the files that have to be attached again, whether it is one or several", () => {
	expect(goneWords(["a.txt"])).toBe("This file is no longer available. Attach it again: a.txt");
	expect(goneWords(["a.txt", "b.txt"])).toBe("These files are no longer available. Attach them again: a.txt, b.txt");
});
