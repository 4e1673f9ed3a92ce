import { it } from "vitest";
import { backgroundKillRounds } from "../../support/app/background-kill-rounds.ts";

// The extended tests have more rounds.
it(
	"no thread is lost and none is doubled when the app in the background or its command is killed",
	() => backgroundKillRounds(3, 3),
	120_000,
);
