import type { AuthProfile, AuthProfileId } from "@xworkmate/contracts";
import { GripVertical } from "lucide-react";
import { type KeyboardEvent, type PointerEvent as ReactPointerEvent, useId, useRef, useState } from "react";
import { accountWords } from "../../strings/agents/account-words.ts";
import { fill } from "../../strings/interface.ts";
import { Icon } from "../components/icon.tsx";
import { useApp } from "../state/app-context.tsx";
import { visibleName } from "../text/visible-text.ts";
import { inOrder, type Lift, moved, placeAt, placeOf } from "./account-order.ts";
import { type AccountActs, AccountRow } from "./account-row.tsx";

const words = accountWords.order;
/** A pointer movement shorter than this counts as a click on the handle. */
const DRAGGED_PX = 4;

interface AccountListProps {
	readonly label: string;
	/** In the order in which they are used. */
	readonly profiles: readonly AuthProfile[];
	readonly acts: AccountActs;
	/** Resolves once the new order is shown, or with false if it was refused. */
	reorder(order: readonly AuthProfileId[]): Promise<boolean>;
}

/** The accounts of one provider, which the user can reorder by keyboard or pointer. The order changes only when an account is dropped. */
export function AccountList({ label, profiles, acts, reorder }: AccountListProps) {
	const { announce } = useApp();
	const [lift, setLift] = useState<Lift>();
	/** The order that is being saved. */
	const [saving, setSaving] = useState<readonly AuthProfileId[]>();
	const list = useRef<HTMLOListElement>(null);
	const wasDragged = useRef(false);
	const how = useId();
	const ids = profiles.map(({ profileId }) => profileId);
	const shown = inOrder(profiles, lift?.order ?? saving ?? ids);
	const told = (text: string, { profileId, order }: Lift) =>
		announce(fill(text, { account: visibleName(profileId), place: order.indexOf(profileId) + 1, all: order.length }));
	const cancel = (lifted: Lift) => {
		setLift(undefined);
		told(words.cancelled, { ...lifted, order: ids });
	};
	const drop = (lifted: Lift) => {
		setLift(undefined);
		const order = inOrder(profiles, lifted.order).map(({ profileId }) => profileId);
		if (order.every((one, index) => one === ids[index])) return told(words.dropped, lifted);
		setSaving(order);
		void reorder(order)
			.then((isSaved) => told(isSaved ? words.dropped : words.notMoved, isSaved ? lifted : { ...lifted, order: ids }))
			.finally(() => setSaving(undefined));
	};
	const press = (profileId: AuthProfileId) => {
		if (wasDragged.current) {
			wasDragged.current = false;
			return;
		}
		if (lift?.profileId === profileId) return drop(lift);
		const lifted = { profileId, order: shown.map((one) => one.profileId) };
		setLift(lifted);
		told(words.lifted, lifted);
	};
	const onKeyDown = (event: KeyboardEvent) => {
		wasDragged.current = false;
		if (lift === undefined) return;
		const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
		if (event.key === "Escape") cancel(lift);
		else if (by !== undefined) {
			const next = moved(lift, placeOf(lift) + by);
			setLift(next);
			told(words.moved, next);
		} else return;
		event.preventDefault();
		event.stopPropagation();
	};
	const drag = (event: ReactPointerEvent, profileId: AuthProfileId) => {
		wasDragged.current = false;
		if (event.button !== 0 || saving !== undefined) return;
		const begin = event.clientY;
		let lifted: Lift = { profileId, order: ids };
		const ends = new AbortController();
		const { signal } = ends;
		addEventListener(
			"pointermove",
			({ clientY }) => {
				if (!wasDragged.current && Math.abs(clientY - begin) < DRAGGED_PX) return;
				wasDragged.current = true;
				lifted = moved(lifted, placeAt(middles(list.current, profileId), clientY));
				setLift(lifted);
			},
			{ signal },
		);
		const end = (isDropped: boolean) => {
			ends.abort();
			if (!wasDragged.current) return;
			if (isDropped) drop(lifted);
			else cancel(lifted);
		};
		addEventListener("pointerup", () => end(true), { signal });
		addEventListener("pointercancel", () => end(false), { signal });
		addEventListener("keydown", ({ key }) => key === "Escape" && end(false), { signal });
	};
	return (
		<>
			<ol className="list" ref={list} aria-label={label} aria-describedby={shown.length > 1 ? how : undefined}>
				{shown.map((profile, index) => (
					<li
						key={profile.profileId}
						className={`acct ${lift?.profileId === profile.profileId ? "lifted" : ""}`}
						data-profile={profile.profileId}
					>
						{shown.length > 1 && (
							<button
								type="button"
								className="grip"
								aria-label={fill(words.grip, { account: visibleName(profile.profileId), place: index + 1, all: shown.length })}
								aria-pressed={lift?.profileId === profile.profileId}
								onClick={() => press(profile.profileId)}
								onKeyDown={onKeyDown}
								onPointerDown={(event) => drag(event, profile.profileId)}
								onBlur={() => lift?.profileId === profile.profileId && !wasDragged.current && cancel(lift)}
							>
								<Icon of={GripVertical} />
							</button>
						)}
						<span className="pos num" aria-hidden="true">
							{index + 1}
						</span>
						<AccountRow profile={profile} acts={acts} />
					</li>
				))}
			</ol>
			{shown.length > 1 && (
				<p className="small muted below-list" id={how}>
					{words.how}
				</p>
			)}
		</>
	);
}

/** The vertical centers of the other rows, from top to bottom. */
function middles(list: HTMLElement | null, lifted: AuthProfileId): readonly number[] {
	const others = [...(list?.children ?? [])].filter((row) => row instanceof HTMLElement && row.dataset.profile !== lifted);
	return others.map((row) => row.getBoundingClientRect()).map(({ top, height }) => top + height / 2);
}
