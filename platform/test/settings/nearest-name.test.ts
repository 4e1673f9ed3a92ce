import { expect, it } from "vitest";
import { nearestName, settings } from "../../src/settings/index.ts";

const keys = settings.map(({ key }) => key);

it.each([
	["hom", "home"],
	["hoem", "home"],
	["maxActiveRun", "maxActiveRuns"],
	["maxactiveruns", "maxActiveRuns"],
])("takes %s for a misspelled %s", (name, nearest) => expect(nearestName(name, keys)).toBe(nearest));

it.each(["nope", "note", "x", ""])("takes %j for no setting, because it is another word", (name) =>
	expect(nearestName(name, keys)).toBeUndefined(),
);
