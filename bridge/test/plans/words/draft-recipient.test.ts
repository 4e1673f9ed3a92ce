import { ContactId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { recipientChoices } from "../../../src/plans/words/draft-recipient.ts";

it.each([
	["you", "You"],
	["your usual channel", "Your usual channel"],
] as const)("offers oneself as the recipient only where messages go to oneself: %s", (ownerWords, label) => {
	const contacts = [{ contactId: ContactId.parse("anna"), name: "Anna", addresses: { discord: "user:201" } }];
	const scene = { text: "Discord Kim: Hello", contacts, hasOwner: true, ownerWords, meantElsewhere: new Set<string>() };
	const labels = (hasOwner: boolean) => recipientChoices({ channel: "discord" }, { ...scene, hasOwner }).map((choice) => choice.label);
	expect(labels(true)).toEqual(["Anna", label]);
	expect(labels(false)).toEqual(["Anna"]);
});
