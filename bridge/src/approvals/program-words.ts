/**
 * Letters, digits and punctuation that are literal in a POSIX shell. Everything that a shell interprets (operators, expansions, globs,
 * comments, escapes, line breaks, invisible characters) is left out, so a line that contains any of it can only be allowed as a whole.
 */
const PLAIN: ReadonlySet<string> = new Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@+=:,./-");
/** A program that is found on PATH. A path is not accepted, because the file at that path may be a different program tomorrow. */
const PROGRAM = /^[A-Za-z0-9][A-Za-z0-9._+-]*$/;
const SUBCOMMAND = /^[a-z][a-z0-9:_-]*$/;
const MAX_CHARACTERS = 4_096;

const names = (...lists: readonly string[]): ReadonlySet<string> => new Set(lists.flatMap((list) => list.split(/\s+/)));

/** Programs that run what their arguments say, so their first words do not identify what is run. */
const RUNNERS = names(
	"sh bash rbash zsh dash ash ksh mksh csh tcsh fish nu xonsh elvish pwsh powershell cmd busybox toybox",
	"env sudo sudoedit doas su runuser pkexec xargs parallel nice ionice nohup setsid timeout gtime stdbuf unbuffer strace ltrace",
	"gdb lldb valgrind entr flock chroot unshare nsenter firejail bwrap proot fakeroot chrt taskset numactl systemd-run crontab",
	"ssh sshpass scp sftp rsync telnet nc ncat netcat socat screen tmux eval exec",
	"python pythonw pypy ipython node nodejs deno ts-node tsx ruby irb perl php lua luajit tcl tclsh wish expect awk gawk mawk nawk sed",
	"vi vim nvim emacs osascript java jshell javaw scala groovy kotlin rscript julia octave matlab ghci runghc runhaskell ocaml racket guile",
	"sbcl clojure clj elixir iex erl escript npx pnpx bunx uvx pipx corepack wsl mshta cscript wscript rundll32 ld.so",
);

/** Programs that remove, overwrite or fetch, or change the shell or the machine: only the exact line can be allowed. */
const WHOLE_ONLY = names(
	"rm rmdir unlink shred srm dd truncate mv cp install ln tee split csplit chmod chown chgrp chattr setfacl mkfs fdisk parted wipefs mount umount",
	"find fd fdfind tar bsdtar zip unzip 7z 7za cpio ar curl wget aria2c httpie http ftp lftp rclone sqlite sqlite3 psql mysql mongo mongosh redis-cli",
	"kill pkill killall reboot shutdown halt poweroff init systemctl service launchctl useradd userdel usermod groupadd passwd visudo iptables",
	"nft ufw sysctl modprobe insmod defaults security reg del erase rd format diskpart wmic certutil bitsadmin schtasks net sc icacls takeown",
	"cd pushd popd set unset export declare typeset local readonly hash enable bind shopt ulimit umask let read printf wait jobs fg bg disown",
	"command builtin source trap alias time start call at batch script watch perf ed ex r",
	"if then else elif fi for while until do done case esac select function coproc in less more man sort uniq",
);

/** Second or third words that run what follows, or remove or publish something irreversibly. */
const NOT_AFTER = names(
	"exec dlx x eval shell run-script foreach execute repl console ssh attach debug rm rmi rmdir remove prune purge clean delete destroy",
	"uninstall drop reset push publish",
);

/** Programs that are described by their name alone; the rest are files, patterns and options. */
const ONE_WORD = names(
	"ls cat grep egrep fgrep rg head tail wc stat file diff cmp cut tree du df date whoami id uname pwd which echo basename dirname",
	"realpath readlink pytest vitest jest mocha eslint prettier biome tsc ruff mypy black flake8 pylint rubocop shellcheck clang-tidy jq yq",
);

/** Programs whose second word is a category, so that the third says what is done. */
const NEED_THREE = names(
	"npm:run pnpm:run yarn:run bun:run npm:workspace yarn:workspace docker:compose git:stash git:remote git:worktree git:submodule git:bisect",
	"git:config git:notes gh:pr gh:issue gh:repo gh:run gh:release go:mod go:work uv:pip uv:tool cargo:nextest docker:image docker:volume",
	"docker:container docker:network kubectl:config aws:s3 helm:repo poetry:self pip:cache npm:cache",
);

/** Second words that pass the rest to a program, or do not say what is run. */
const HANDS_OVER = names(
	"uv:run poetry:run pdm:run hatch:run rye:run conda:run mamba:run docker:run podman:run kubectl:run cargo:run go:run go:generate swift:run",
	"dotnet:run dart:run flutter:run mix:run rails:runner bun:run-script git:bisect git:filter-branch git:rebase git:config go:tool nvm:run",
	"npm:config npm:set pnpm:config yarn:config gh:alias gh:api gh:extension pip:config kubectl:debug kubectl:cp cargo:watch yarn:node pnpm:node git:clean",
);

/**
 * The first words that describe what a command line does, for a grant that covers similar lines. Undefined for a line that is more than one
 * plain command, or whose first words do not say what is run: only the exact line can then be allowed. Also undefined if in doubt, because
 * then the user only has to be asked once more.
 */
export function programWords(line: string): readonly string[] | undefined {
	const raw = line.length > MAX_CHARACTERS ? undefined : plainWords(line);
	if (raw === undefined || !raw.map(unquoted).every(saysOnlyItself)) return undefined;
	const [program = "", second = "", third = ""] = raw;
	if (!PROGRAM.test(program) || isOf(WHOLE_ONLY, program)) return undefined;
	const name = plainName(program);
	if (ONE_WORD.has(name)) return [program];
	// A single word would cover everything that the program can do.
	if (!SUBCOMMAND.test(second)) return undefined;
	if (NOT_AFTER.has(second) || HANDS_OVER.has(`${name}:${second}`)) return undefined;
	if (!NEED_THREE.has(`${name}:${second}`)) return [program, second];
	return SUBCOMMAND.test(third) && third !== "run" && !NOT_AFTER.has(third) ? [program, second, third] : undefined;
}

/**
 * True if every option of a line is also in the granted line, spelled the same, with the same word after it, and on the same side of `--`:
 * what an option does is known only to its program, so only those that the user has seen are covered.
 */
export function addsNoOption(line: string, granted: string): boolean {
	const seen = new Set(optionsOf(granted));
	return optionsOf(line).every((option) => seen.has(option));
}

/** Each option of a line of plain words, `--` too, with what its meaning may depend on. */
function optionsOf(line: string): readonly string[] {
	const words = plainWords(line)?.map(unquoted) ?? [];
	return words.flatMap((word, index) => {
		const next = words[index + 1];
		const value = next === undefined || isOption(next) ? null : next;
		return isOption(word) ? [JSON.stringify([words.slice(0, index).includes("--"), word, value])] : [];
	});
}

/** Also true for a quoted text that contains an option, because a script may take it apart. */
function isOption(word: string): boolean {
	return word.split(" ").some((part) => part.startsWith("-"));
}

/**
 * The words of a line with their quotes; undefined if it begins or ends with a space, or is more than plain words, spaces and closed
 * quotes.
 */
function plainWords(line: string): readonly string[] | undefined {
	const words: string[] = [];
	let word = "";
	let quote = "";
	for (const character of line) {
		if (character === " " && quote === "") {
			// Spaces before the first word.
			if (word === "" && words.length === 0) return undefined;
			if (word !== "") words.push(word);
			word = "";
			continue;
		}
		const isQuote = character === '"' || character === "'";
		if (isQuote ? quote !== "" && quote !== character : !PLAIN.has(character) && character !== " ") return undefined;
		if (isQuote) quote = quote === "" ? character : "";
		word += character;
	}
	if (quote !== "" || word === "") return undefined;
	return [...words, word];
}

function unquoted(word: string): string {
	return word.replaceAll(/["']/g, "");
}

/** True for a word that neither names a runner nor sets a variable. */
function saysOnlyItself(word: string): boolean {
	if (word.split(" ").some((part) => /^[^-=][^=]*=/.test(part))) return false;
	return !word.split(/[^A-Za-z0-9_.+-]+/).some((piece) => isOf(RUNNERS, piece));
}

function isOf(set: ReadonlySet<string>, word: string): boolean {
	return set.has(word.toLowerCase()) || set.has(plainName(word));
}

/** The program's name without case, version and suffix: `Python3.12.exe` is python. */
function plainName(word: string): string {
	const name = word.toLowerCase().replace(/\.(?:exe|cmd|bat|com|ps1)$/, "");
	let end = name.length;
	while (end > 0 && "0123456789.".includes(name.charAt(end - 1))) end--;
	return name.slice(0, end < name.length && name.charAt(end - 1) === "-" ? end - 1 : end);
}
