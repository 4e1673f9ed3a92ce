import { it } from "vitest";
import { appKillRounds } from "../support/app/app-kill-rounds.ts";

it("[T4-18] [T4-59] takes up every thread again over six seeded kills of the app", () => appKillRounds(20_261_122, 6), 600_000);
