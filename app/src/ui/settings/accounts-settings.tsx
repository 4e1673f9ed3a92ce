import type { AuthProfile, ModelProvider } from "@xworkmate/contracts";
import { CircleAlert, Clock3, FolderOpen, Plus, RotateCcw } from "lucide-react";
import { useState } from "react";
import { makerWords, accountWords as words } from "../../strings/agents/account-words.ts";
import { fill } from "../../strings/interface.ts";
import { doctorWords } from "../../strings/settings/doctor-words.ts";
import { isUsable } from "../../text/agents/account-state.ts";
import { localTime } from "../../text/local-time.ts";
import { sayCount } from "../../text/runs/actions-title.ts";
import { AccountList } from "../accounts/account-list.tsx";
import { soonest } from "../accounts/account-look.ts";
import { isOfEnvironment } from "../accounts/account-order.ts";
import { type AccountActs, AccountRow } from "../accounts/account-row.tsx";
import { forgetTrial, tryAccount } from "../accounts/account-trials.ts";
import { AddAccount } from "../accounts/add-account.tsx";
import { RemoveAccount } from "../accounts/remove-account.tsx";
import { sayTrial } from "../accounts/say-trial.ts";
import { useAccounts } from "../accounts/use-accounts.ts";
import { CopyLine } from "../components/copy-line.tsx";
import { Icon } from "../components/icon.tsx";
import { callApp } from "../connection/call-app.ts";
import { useApp } from "../state/app-context.tsx";
import { attempt } from "../state/thread-actions.ts";
import { say } from "../state/toasts.ts";
import { useClock } from "../state/use-clock.ts";
import { formatTime } from "../text/format.ts";
import { visibleName } from "../text/visible-text.ts";

const makers: readonly ModelProvider[] = ["anthropic", "openai"];

/** What the form is open for: a new account or, with `replaced`, another credential for an account. */
type Form = { readonly replaced?: AuthProfile };

/** The accounts that pay for the assistant's models. */
export function AccountsSettings() {
	const { state, announce } = useApp();
	const { answer, readAt, problem, set, read } = useAccounts(state === "live");
	const [form, setForm] = useState<Form>();
	const [removing, setRemoving] = useState<AuthProfile>();
	const [isTestingAll, setTestingAll] = useState(false);
	const profiles = answer?.profiles ?? [];
	const test = async (profile: AuthProfile) => {
		announce(sayTrial(profile.profileId, await tryAccount(profile)));
		await read();
	};
	const testAll = async () => {
		setTestingAll(true);
		for (const profile of profiles) await test(profile);
		setTestingAll(false);
	};
	const acts: AccountActs = {
		test: (profile) => void test(profile),
		replace: (replaced) => setForm({ replaced }),
		remove: setRemoving,
	};
	const saved = (profile: AuthProfile) => {
		setForm(undefined);
		forgetTrial(profile.profileId);
		say(fill(words.adding.saved, { account: visibleName(profile.profileId) }));
		void read().then(() => test(profile));
		askAgain();
	};
	const remove = async (profile: AuthProfile) => {
		await attempt(async () => {
			set(await callApp("removeAccount", { profileId: profile.profileId }));
			forgetTrial(profile.profileId);
			say(fill(words.removing.done, { account: visibleName(profile.profileId) }));
			askAgain();
		});
	};
	return (
		<>
			<header className="doctor-head">
				<p className="soft grow">{words.lead}</p>
				<div className="flex">
					{profiles.length > 1 && (
						<button type="button" className="btn" disabled={isTestingAll} onClick={() => void testAll()}>
							<Icon of={RotateCcw} spin={isTestingAll} />
							{isTestingAll ? words.testing : words.testAll}
						</button>
					)}
					{form === undefined && profiles.length > 0 && <AddButton add={() => setForm({})} />}
				</div>
			</header>
			{problem !== undefined && (
				<div className="note bad" role="alert">
					<p className="grow">
						<b>{words.failed}</b> {problem}
						{readAt !== undefined && ` ${fill(doctorWords.lastKnown, { time: formatTime(readAt) })}`}
					</p>
					<button type="button" className="btn" onClick={() => void read()}>
						{words.again}
					</button>
				</div>
			)}
			{answer === undefined && problem === undefined && <p className="muted">{words.loading}</p>}
			{answer?.problem !== undefined && <Damaged {...answer.problem} />}
			{form !== undefined && (
				<AddAccount
					key={form.replaced?.profileId ?? ""}
					{...(form.replaced && { replaced: form.replaced })}
					saved={saved}
					close={() => setForm(undefined)}
				/>
			)}
			{makers.map((maker) => (
				<MakerAccounts
					key={maker}
					maker={maker}
					profiles={profiles.filter(({ provider }) => provider === maker)}
					acts={acts}
					isFileRead={answer?.problem === undefined}
					reorder={(profileIds) =>
						attempt(async () => set(await callApp("orderAccounts", { provider: maker, profileIds: [...profileIds] })))
					}
				/>
			))}
			{answer !== undefined && answer.problem === undefined && profiles.length === 0 && form === undefined && (
				<div className="list empty">
					<b>{words.none}</b>
					<p>{words.noneSay}</p>
					<AddButton add={() => setForm({})} />
				</div>
			)}
			{answer?.problem === undefined && <p className="small muted">{words.kept}</p>}
			<RemoveAccount profile={removing} remove={remove} close={() => setRemoving(undefined)} />
		</>
	);
}

function AddButton({ add }: { add(): void }) {
	return (
		<button type="button" className="btn pri" onClick={add}>
			<Icon of={Plus} />
			{words.add}
		</button>
	);
}

/** What is wrong with the accounts file, and how to fix it. Until it is fixed, the bridge does not write to the file. */
function Damaged({ code, message, fix }: { readonly code: string; readonly message: string; readonly fix: string }) {
	return (
		<div className="note bad" role="alert">
			<Icon of={CircleAlert} />
			<div className="grow">
				<p>
					<b>{words.damaged}</b> {visibleName(message)}
				</p>
				<CopyLine text={fix} />
			</div>
			<span className="code-chip">{code}</span>
			<button type="button" className="btn" onClick={() => void attempt(() => callApp("openDataFolder", {}))}>
				<Icon of={FolderOpen} />
				{words.openFolder}
			</button>
		</div>
	);
}

interface MakerAccountsProps {
	readonly maker: ModelProvider;
	readonly profiles: readonly AuthProfile[];
	readonly acts: AccountActs;
	readonly isFileRead: boolean;
	reorder(order: readonly AuthProfile["profileId"][]): Promise<boolean>;
}

/** The accounts of one provider, and below them those from the environment. */
function MakerAccounts({ maker, profiles, acts, isFileRead, reorder }: MakerAccountsProps) {
	const name = makerWords[maker];
	const own = profiles.filter((profile) => !isOfEnvironment(profile));
	const environment = profiles.filter(isOfEnvironment);
	if (profiles.length === 0) return null;
	const ready = isFileRead ? profiles.filter(isUsable).length : 0;
	return (
		<section className="block" aria-label={name}>
			<h3>
				{name} <span className="muted normal">{fill(sayCount(profiles.length, words.count), { ready })}</span>
			</h3>
			{isFileRead && ready === 0 && <NoneReady profiles={profiles} />}
			{own.length > 0 && <AccountList label={name} profiles={own} acts={acts} reorder={reorder} />}
			{environment.length > 0 && (
				<>
					<h4 className="acct-env">
						{words.environment} <span className="muted normal">{own.length > 0 ? words.environmentSay : words.environmentOnly}</span>
					</h4>
					<ul className="list" aria-label={`${name}, ${words.environment}`}>
						{environment.map((profile) => (
							<li key={profile.profileId} className="acct fixed" data-profile={profile.profileId}>
								<AccountRow profile={profile} acts={acts} isFixed isFileRead={isFileRead} />
							</li>
						))}
					</ul>
				</>
			)}
		</section>
	);
}

function NoneReady({ profiles }: { readonly profiles: readonly AuthProfile[] }) {
	const now = useClock();
	const first = soonest(profiles);
	return (
		<div className="note">
			<Icon of={Clock3} />
			<p className="grow">
				<b>{words.noneReady}</b>{" "}
				{first === undefined
					? words.noneComes
					: fill(words.soonest, { account: visibleName(first.profileId), time: localTime(first.until, now) })}
			</p>
		</div>
	);
}

/**
 * Asks the bridge again: the assistant's readiness depends on the accounts, and the rest of the page knows it only from the bridge's last
 * answer.
 */
function askAgain(): void {
	// If the bridge does not answer, the page's footer says so.
	callApp("testBridge", {}).catch(() => undefined);
}
