import { Redaction } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { askedWords } from "../../../src/runs/domain/reported-receipts.ts";

it("hides a secret in a long command, although the words by which it is recognized are not shown", () => {
	const command = `curl -X POST ${"--data-urlencode a=b ".repeat(8)} -H 'Authorization: Bearer t0ken.of.the.person' https://api.example/v1/messages`;
	const input = { text: JSON.stringify({ command }), truncated: false };
	const { words } = askedWords(new Redaction([]), { title: "Post", input });
	expect(words).toMatch(/^curl -X POST .* … .*https:\/\/api\.example\/v1\/messages$/);
	expect(words).not.toContain("t0ken");
});
