import type { AuthProfile } from "@xworkmate/contracts";
import { CircleAlert, CircleCheck, LoaderCircle, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { accountWords as words } from "../../strings/agents/account-words.ts";
import { fill } from "../../strings/interface.ts";
import { localTime } from "../../text/local-time.ts";
import { CopyLine } from "../components/copy-line.tsx";
import { Icon } from "../components/icon.tsx";
import { useStore } from "../connection/store.ts";
import { useClock } from "../state/use-clock.ts";
import { formatSpan } from "../text/format.ts";
import { visibleName } from "../text/visible-text.ts";
import { accountLook, typeOf } from "./account-look.ts";
import { type AccountTrial, accountTrials, currentTrial } from "./account-trials.ts";
import { lostTrial, problemOf } from "./say-trial.ts";

export interface AccountActs {
	test(profile: AuthProfile): void;
	/** Asks for another credential for the same account. */
	replace(profile: AuthProfile): void;
	remove(profile: AuthProfile): void;
}

interface AccountRowProps {
	readonly profile: AuthProfile;
	readonly acts: AccountActs;
	/** True for an account from the environment, where it has to be changed. */
	readonly isFixed?: boolean;
	/** False while the accounts file cannot be read. */
	readonly isFileRead?: boolean;
}

/** An account with its kind, its state, its test result and its actions. */
export function AccountRow({ profile, acts, isFixed = false, isFileRead = true }: AccountRowProps): ReactNode {
	const trial = currentTrial(useStore(accountTrials), profile);
	const minute = Math.floor(useClock() / 60_000) * 60_000;
	const name = visibleName(profile.profileId);
	const isTesting = trial?.state === "running";
	const problem = problemOf(trial, minute);
	const look = accountLook(profile, minute, isFileRead);
	return (
		<>
			<div className="acct-what">
				<span className="nm wrap">{name}</span>
				<div className="sub">
					<span className="wrap">{typeOf(profile)}</span>
					{isTesting ? (
						<span className="st st-run">
							<Icon of={LoaderCircle} spin />
							{words.testing}
						</span>
					) : (
						<>
							{!(profile.state === "ready" && problem !== undefined) && (
								<span className={`st ${look.tone}`}>
									<Icon of={look.icon} />
									{look.word}
								</span>
							)}
							{look.say.map((said) => (
								<span key={said}>{said}</span>
							))}
							<TrialWord trial={trial} now={minute} />
							{profile.state !== "missing" && <span>{lastUsed(profile, minute)}</span>}
							{look.fix !== undefined && !isFixed && (
								<button type="button" className="link" onClick={() => acts.replace(profile)}>
									{look.fix}
								</button>
							)}
						</>
					)}
				</div>
				{!isTesting && problem !== undefined && (
					<div className="small acct-problem">
						<span className="wrap">{problem.message}</span>
						{problem.fix !== undefined && <CopyLine text={problem.fix} />}
					</div>
				)}
			</div>
			<div className="end">
				<button
					type="button"
					className="btn"
					disabled={isTesting}
					aria-label={fill(words.testOf, { account: name })}
					onClick={() => acts.test(profile)}
				>
					{words.test}
				</button>
				{!isFixed && (
					<button
						type="button"
						className="ib"
						aria-label={fill(words.removeOf, { account: name })}
						title={words.remove}
						onClick={() => acts.remove(profile)}
					>
						<Icon of={Trash2} />
					</button>
				)}
			</div>
		</>
	);
}

function TrialWord({ trial, now }: { readonly trial: AccountTrial | undefined; readonly now: number }) {
	if (trial === undefined || trial.state === "running") return null;
	const lost = lostTrial(trial);
	if (lost !== undefined) return <span>{lost}</span>;
	const at = localTime(trial.at, now);
	if (trial.state === "over" && trial.ok)
		return (
			<span className="st st-ok">
				<Icon of={CircleCheck} />
				{fill(words.answered, { time: formatSpan(trial.tookMs), at })}
			</span>
		);
	return (
		<span className="st st-bad">
			<Icon of={CircleAlert} />
			{fill(words.notAnsweredAt, { at })}
		</span>
	);
}

function lastUsed({ lastUsedAt }: AuthProfile, now: number): string {
	return lastUsedAt === undefined ? words.neverUsed : fill(words.used, { time: localTime(lastUsedAt, now) });
}
