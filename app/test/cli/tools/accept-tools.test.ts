import { Integration, IntegrationId, Sha256 } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { toolFindings } from "../../../src/doctor/finding.ts";
import { runAgainst } from "../../support/command-scene.ts";

const toolHash = Sha256.parse("3f2a91c04b7e".padEnd(64, "0"));
const integration = IntegrationId.parse("notes");
const notes = Integration.parse({ integration, state: "unaccepted", toolHash, problems: [], tools: [] });

/** What `tools accept notes --hash` does with a hash. */
function accept(hash: string) {
	const api = { listTools: async () => ({ integrations: [notes] }), acceptTools: async () => notes };
	return runAgainst(api, ["tools", "accept", "notes", "--hash", hash]);
}

it.each([toolHash.slice(0, 12), toolHash.slice(0, 12).toUpperCase(), "3f2a 91C0 4b7e", toolHash.toUpperCase()])(
	"accepts the version with the hash %j, however its digits are written",
	async (hash) => {
		const { code, lines } = await accept(hash);
		expect([code, lines[0]]).toEqual([0, "Accepted version 3f2a91c04b7e of notes."]);
	},
);

it("says that the calls of code that isn't accepted ask, except those that a rule denies", async () => {
	const { lines } = await runAgainst({ listTools: async () => ({ integrations: [notes] }) }, ["tools", "list"]);
	expect(lines.join("\n")).toContain("  Every call that no rule denies asks for approval. Accept the code: ");
	expect(toolFindings([notes])).toEqual([
		expect.objectContaining({ message: "The code has not been accepted yet, so every call that no rule denies asks for approval." }),
	]);
});

it.each(["3f2a91c04b7", "3f2a91c04b7g", `${toolHash}0`])("refuses %j, which is no hash", async (hash) => {
	expect((await accept(hash)).said).toContain("It must be 12 to 64 hexadecimal digits.");
});
