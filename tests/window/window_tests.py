"""Drives gpudget-desktop under Xvfb: off-screen pictures in every language, theme and scale, and a live window with real keys and clicks."""
import ctypes
import ctypes.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import traceback

from PIL import Image
from Xlib import X as xlib
from Xlib.display import Display
from Xlib.protocol import event as xevent

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("GPUDGET_BUILD", ROOT / "build/native"))
PROGRAM = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else BUILD / "gpudget-desktop").resolve()
ARTIFACTS = pathlib.Path(os.environ.get("GPUDGET_ARTIFACTS", ROOT / "build/artifacts")) / "window"
ARTIFACTS.mkdir(parents=True, exist_ok=True)
TESTS = []


def test(function):
    TESTS.append(function)
    return function


def environment(home, **more):
    env = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_CONFIG_HOME", "LANG", "LC_ALL", "LC_MESSAGES")}
    env.update(HOME=str(home), XDG_CONFIG_HOME=str(home / "config"), LANG="C.UTF-8", GPUDGET_FILE_DIALOG="none", GPUDGET_NVML="none", GPUDGET_CUDA="none",
               LIBGL_ALWAYS_SOFTWARE="1")
    env.update(more)
    return env


def shoot(home, name, *arguments, items=False, **env):
    out = ARTIFACTS / f"{name}.png"
    out.unlink(missing_ok=True)
    words = [str(PROGRAM), "--screenshot", str(out), *arguments]
    if items:
        words += ["--items", str(ARTIFACTS / f"{name}.json")]
    done = subprocess.run(words, env=environment(home, DISPLAY=X.display, **env), capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return Image.open(out).convert("RGB")


def colours(image):
    return len(image.getcolors(1 << 24))


def differing(a, b):
    """The share of pixels that differ."""
    assert a.size == b.size
    return sum(p != q for p, q in zip(a.getdata(), b.getdata())) / (a.size[0] * a.size[1])


class X:
    """The virtual screen."""
    display = None

    @classmethod
    def start(cls):
        read, write = os.pipe()
        cls.process = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1920x1200x24", "-noreset", "-nolisten", "tcp"], pass_fds=[write],
                                       stderr=subprocess.DEVNULL)
        os.close(write)
        cls.display = ":" + os.fdopen(read).readline().strip()

    @classmethod
    def stop(cls):
        cls.process.terminate()
        cls.process.wait()


def xdotool(*words):
    return subprocess.run(["xdotool", *map(str, words)], env={**os.environ, "DISPLAY": X.display}, capture_output=True, text=True, timeout=20)


def until(condition, seconds=15):
    """Whether the condition came true in that time: a busy computer may take its time."""
    end = time.time() + seconds
    while not condition():
        if time.time() > end:
            return False
        time.sleep(0.1)
    return True


class Window:
    """A running gpudget-desktop."""

    def __init__(self, home, *arguments, **env):
        self.process = subprocess.Popen([str(PROGRAM), *arguments], env=environment(home, DISPLAY=X.display, **env), stderr=subprocess.PIPE, text=True)
        for _ in range(300):
            found = xdotool("search", "--onlyvisible", "--pid", self.process.pid).stdout.split() or xdotool("search", "--onlyvisible", "--name", "^gpudget").stdout.split()
            if found:
                break
            assert self.process.poll() is None, self.process.stderr.read()
            time.sleep(0.1)
        assert found, "no window came"
        self.id = found[-1]
        time.sleep(0.7)
        xdotool("windowfocus", self.id)
        time.sleep(0.2)

    def size(self):
        shell = dict(line.split("=") for line in xdotool("getwindowgeometry", "--shell", self.id).stdout.split())
        return int(shell["WIDTH"]), int(shell["HEIGHT"])

    def click(self, x, y):
        xdotool("mousemove", "--window", self.id, round(x), round(y))
        time.sleep(0.2)
        xdotool("click", "1")
        time.sleep(0.5)

    def key(self, *keys):
        xdotool("key", *keys)
        time.sleep(0.4)

    def busy(self, seconds):
        """CPU seconds used in that time."""
        def used():
            fields = open(f"/proc/{self.process.pid}/stat").read().rsplit(")", 1)[1].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        before = used()
        time.sleep(seconds)
        return used() - before

    def quit(self):
        try:
            for _ in range(5):  # a key that comes before the window is ready is lost
                xdotool("windowfocus", self.id)
                self.key("ctrl+q")
                if until(lambda: self.process.poll() is not None, 5):
                    break
            return self.process.wait(timeout=10)
        finally:
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait()


def settings(home):
    return json.loads((home / "config/gpudget/desktop.json").read_text())


@test
def without_a_display_it_says_so_and_names_the_way_out(home):
    done = subprocess.run([str(PROGRAM)], env=environment(home), capture_output=True, text=True, timeout=20)
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.startswith("gpudget-desktop: error: ") and "DISPLAY" in done.stderr and "gpudget estimate" in done.stderr, done.stderr


@test
def help_version_and_wrong_calls_need_no_display(home):
    run = lambda *words: subprocess.run([str(PROGRAM), *words], env=environment(home), capture_output=True, text=True, timeout=20)
    assert run("--help").returncode == 0 and "--screenshot" in run("--help").stdout
    assert run("--version").returncode == 0
    for words in (["--nonsense"], ["--lang", "xx"], ["--view", "xx"], ["--scale", "99"], ["--scenario", str(home / "missing.json")]):
        done = run(*words)
        assert done.returncode == 2 and done.stdout == "" and done.stderr.startswith("gpudget-desktop: error: "), (words, done)


@test
def pictures_in_three_languages_and_two_themes_differ(home):
    pictures = {}
    for language in ("en", "pt", "fr"):
        for theme in ("light", "dark"):
            image = shoot(home, f"{language}-{theme}", "--lang", language, "--theme", theme, "--width", "1440", "--height", "900")
            assert image.size == (1440, 900)
            assert colours(image) > 50, "an empty picture"
            pictures[language, theme] = image
    assert differing(pictures["en", "light"], pictures["pt", "light"]) > 0.002
    assert differing(pictures["en", "light"], pictures["fr", "light"]) > 0.002
    assert differing(pictures["en", "light"], pictures["en", "dark"]) > 0.5


@test
def every_view_and_small_sizes_are_drawn(home):
    for view in ("memory", "time", "plan", "checklist", "learn", "export"):
        assert colours(shoot(home, f"view-{view}", "--view", view, "--lang", "en", "--width", "1440", "--height", "900")) > 50, view
    for width, height in ((1024, 640), (390, 844)):
        image = shoot(home, f"size-{width}x{height}", "--width", str(width), "--height", str(height), "--lang", "pt")
        assert image.size == (width, height) and colours(image) > 50


@test
def at_scale_two_the_same_layout_has_four_times_the_pixels(home):
    small = shoot(home, "scale-1", "--width", "1024", "--height", "640", "--lang", "fr", items=True)
    large = shoot(home, "scale-2", "--width", "1024", "--height", "640", "--lang", "fr", "--scale", "2", items=True)
    assert large.size == (2048, 1280)
    at = lambda name: {i["label"]: (i["x"], i["y"]) for i in json.loads((ARTIFACTS / f"{name}.json").read_text()) if i["label"] and i["visible"]}
    one, two = at("scale-1"), at("scale-2")
    assert len(one) > 5 and one.keys() == two.keys()
    for label, (x, y) in one.items():
        assert abs(x - two[label][0]) <= 2 and abs(y - two[label][1]) <= 2, (label, one[label], two[label])
    shrunk = large.resize(small.size, Image.BOX)
    far = sum(max(abs(a - b) for a, b in zip(p, q)) > 96 for p, q in zip(small.getdata(), shrunk.getdata())) / (1024 * 640)
    assert far < 0.02, f"{far:.3f} of the pixels differ by more than antialiasing"


@test
def a_scenario_file_is_opened_and_a_broken_one_named(home):
    good, broken = home / "scenario.json", home / "broken.json"
    good.write_text('{"method": "qlora", "per_device_train_batch_size": 3}')
    default = shoot(home, "scenario-default", "--lang", "en")
    assert differing(default, shoot(home, "scenario-file", "--lang", "en", "--scenario", str(good))) > 0.001
    broken.write_text('{"method": "telepathy"}')
    done = subprocess.run([str(PROGRAM), "--screenshot", str(home / "x.png"), "--scenario", str(broken)], env=environment(home, DISPLAY=X.display),
                          capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and done.stderr.startswith("gpudget-desktop: error: method: "), done
    assert not (home / "x.png").exists()


@test
def an_idle_window_draws_nothing(home):
    window = Window(home, "--width", "1200", "--height", "760", "--lang", "en")
    try:
        time.sleep(2)
        rests = []
        while len(rests) < 4 and not (rests and rests[-1] < 0.08):  # a busy computer takes longer until all is drawn
            rests.append(window.busy(3))
        assert rests[-1] < 0.08, f"{rests} s of CPU in 3 s of rest each"
    finally:
        status = window.quit()
    assert status == 0


@test
def the_window_and_the_scenario_are_remembered(home):
    scenario = home / "mine.json"
    scenario.write_text('{"method": "qlora", "max_length": 4096}')
    window = Window(home, "--scenario", str(scenario), "--width", "1111", "--height", "777", "--lang", "fr", "--theme", "dark")
    try:
        assert until(lambda: window.size() == (1111, 777)), window.size()
        xdotool("windowsize", window.id, 1010, 707)
        assert until(lambda: window.size() == (1010, 707)), window.size()
        time.sleep(0.5)
    finally:
        status = window.quit()
    assert status == 0
    kept = settings(home)
    assert kept["window"]["width"] == 1010 and kept["window"]["height"] == 707, kept
    assert kept["language"] == "fr" and kept["theme"] == "dark"
    assert kept["scenario"]["method"] == "qlora" and kept["scenario"]["max_length"] == 4096
    again = Window(home)
    try:
        size = again.size()
    finally:
        again.quit()
    assert size == (1010, 707)
    assert settings(home)["scenario"] == kept["scenario"]


@test
def broken_settings_are_no_obstacle(home):
    file = home / "config/gpudget/desktop.json"
    file.parent.mkdir(parents=True)
    for text in ("", "{", '{"window": {"width": -5, "height": "x"}, "language": 7, "scenario": {"method": "telepathy"}}'):
        file.write_text(text)
        window = Window(home)
        assert window.quit() == 0
    assert settings(home)["window"]["width"] >= 320


@test
def control_s_saves_the_scenario_where_downloads_go(home):
    (home / "Downloads").mkdir()
    window = Window(home, "--lang", "en")
    try:
        saved_to = home / "Downloads/scenario.json"
        for _ in range(3):
            window.key("ctrl+s")
            if until(lambda: saved_to.exists() and saved_to.stat().st_size > 0, 5):
                break
    finally:
        window.quit()
    saved = json.loads(saved_to.read_text())
    assert isinstance(saved, dict) and "model" in saved


@test
def a_click_on_a_label_changes_the_question(home):
    size = ("--width", "1200", "--height", "760", "--lang", "en")
    shoot(home, "before-click", *size, items=True)
    items = json.loads((ARTIFACTS / "before-click.json").read_text())
    target = next((i for i in items if i["label"] == "Method: QLoRA" and i["visible"] and not i["disabled"]), None)
    assert target, "no item QLoRA: " + ", ".join(sorted({i["label"] for i in items if i["visible"]}))
    window = Window(home, *size)
    try:
        for _ in range(3):  # remembered two seconds after the change
            window.click(target["x"] + target["width"] / 2, target["y"] + target["height"] / 2)
            if until(lambda: (home / "config/gpudget/desktop.json").exists() and settings(home)["scenario"].get("method") == "qlora", 6):
                break
    finally:
        window.quit()
    assert settings(home)["scenario"].get("method") == "qlora", settings(home)["scenario"]


@test
def a_picture_shows_the_gpus_of_this_computer_only_when_asked(home):
    gpu = {"GPUDGET_NVML": str(PROGRAM.parent / "fake/libnvidia-ml.so.1"), "FAKE_GPU": "one_24g"}
    tall = ("--lang", "en", "--height", "2000")  # all of the question's sections
    plain = shoot(home, "gpus-not-asked", *tall, **gpu)
    asked = shoot(home, "gpus-asked", *tall, "--this-computer", **gpu)
    assert differing(plain, shoot(home, "gpus-none", *tall)) == 0
    assert 0.0005 < differing(plain, asked) < 0.3


@test
def a_live_window_survives_a_hanging_driver(home):
    fake = PROGRAM.parent / "fake/libnvidia-ml.so.1"
    assert fake.exists(), "the fake driver is built with the unit tests"
    window = Window(home, "--lang", "en", GPUDGET_NVML=str(fake), FAKE_GPU="crash")
    assert window.quit() == 0
    window = Window(home, "--lang", "en", GPUDGET_NVML=str(fake), FAKE_GPU="one_24g")
    try:
        time.sleep(1.5)
    finally:
        assert window.quit() == 0


def lines_of(path):
    return len(path.read_text().splitlines()) if path.exists() else 0


@test
def the_gpus_are_read_each_second_while_shown_and_never_while_hidden(home):
    """The fake driver writes a line each time it is asked."""
    fake, log = PROGRAM.parent / "fake/libnvidia-ml.so.1", home / "asked"
    window = Window(home, "--lang", "en", "--width", "1200", "--height", "760", GPUDGET_NVML=str(fake), FAKE_GPU="no_processes", FAKE_GPU_LOG=str(log))
    try:
        assert until(lambda: lines_of(log) >= 3), "not read again"
        before = lines_of(log)
        time.sleep(3)
        assert 1 <= lines_of(log) - before <= 4, f"{lines_of(log) - before} times in 3 s"
        used = min(window.busy(3) for _ in range(3))
        assert used < 0.12, f"{used:.2f} s of CPU in 3 s in which only the same answer came"
        xdotool("windowunmap", window.id)
        time.sleep(2.5)
        before = lines_of(log)
        time.sleep(3)
        assert lines_of(log) == before, "read while hidden"
        xdotool("windowmap", window.id)
        assert until(lambda: lines_of(log) > before), "not read once shown again"
    finally:
        status = window.quit()
    assert status == 0


def xclip(*words, text=None):
    return subprocess.run(["xclip", "-selection", "clipboard", *words], env={**os.environ, "DISPLAY": X.display}, input=text, text=True, timeout=20,
                          stdout=subprocess.PIPE if text is None else subprocess.DEVNULL, stderr=subprocess.DEVNULL).stdout


@test
def copy_puts_the_configuration_on_the_clipboard(home):
    size = ("--width", "1200", "--height", "1100", "--lang", "en", "--view", "export")
    shoot(home, "before-copy", *size, items=True)
    target = next(i for i in json.loads((ARTIFACTS / "before-copy.json").read_text()) if i["label"] == "Copy" and i["visible"])
    wanted = subprocess.run([PROGRAM.parent / "gpudget", "export", "--to", "trainer"], capture_output=True, text=True, check=True).stdout
    xclip("-i", text="something else")
    window = Window(home, *size)
    try:
        for _ in range(3):
            window.click(target["x"] + target["width"] / 2, target["y"] + target["height"] / 2)
            if until(lambda: xclip("-o").strip() == wanted.strip(), 5):
                break
        got = xclip("-o")  # the window answers for as long as it lives
    finally:
        window.quit()
    assert "TrainingArguments" in wanted and got.strip() == wanted.strip(), got


def remembers(home, condition, seconds=6):
    return until(lambda: (home / "config/gpudget/desktop.json").exists() and condition(settings(home)["scenario"]), seconds)


SMALL_MODEL = {"model_type": "llama", "vocab_size": 32000, "hidden_size": 1024, "intermediate_size": 2816, "num_hidden_layers": 7, "num_attention_heads": 16,
               "num_key_value_heads": 4}


@test
def what_is_pasted_outside_a_field_is_opened(home):
    xclip("-i", text=json.dumps(SMALL_MODEL))
    window = Window(home, "--lang", "en")
    try:
        opened = False
        for _ in range(3):
            window.key("ctrl+v")
            opened = remembers(home, lambda s: s["model"].get("config", {}).get("num_hidden_layers") == 7 if isinstance(s["model"], dict) else False)
            if opened:
                break
        xclip("-i", text="base_model: Qwen/Qwen2.5-7B\nadapter: lora\nlora_r: 24\nmicro_batch_size: 3\n")  # an Axolotl file
        window.key("ctrl+v")
        imported = remembers(home, lambda s: s["per_device_train_batch_size"] == 3 and s["lora"]["r"] == 24)
        xclip("-i", text='{"method": "telepathy"}')
        window.key("ctrl+v")
        time.sleep(3)
    finally:
        status = window.quit()
    kept = settings(home)["scenario"]
    assert opened and imported and status == 0, kept
    assert kept["method"] == "lora" and kept["model"] == "Qwen/Qwen2.5-7B", "a broken text keeps the last good scenario"


def drop(window, paths):
    """What a file manager does: the XDND protocol, version 5, from a window of its own. Returns whether the files were accepted."""
    display = Display(X.display)
    try:
        atom = display.intern_atom
        target = display.create_resource_object("window", int(window.id))
        source = display.screen().root.create_window(0, 0, 1, 1, 0, display.screen().root_depth)
        source.set_selection_owner(atom("XdndSelection"), xlib.CurrentTime)
        where = target.translate_coords(display.screen().root, 0, 0)
        x, y = 50 - where.x, 50 - where.y
        say = lambda kind, *data: target.send_event(xevent.ClientMessage(window=target, client_type=atom(kind), data=(32, [source.id, *data])))
        uris = "".join(path.as_uri() + "\r\n" for path in paths).encode()
        say("XdndEnter", 5 << 24, atom("text/uri-list"), 0, 0)
        say("XdndPosition", 0, x << 16 | y, xlib.CurrentTime, atom("XdndActionCopy"))
        end = time.time() + 10
        while time.time() < end:
            if not display.pending_events():
                display.flush()
                time.sleep(0.02)
                continue
            e = display.next_event()
            if e.type == xlib.ClientMessage and e.client_type == atom("XdndStatus"):
                if not e.data[1][1] & 1:
                    return False
                say("XdndDrop", 0, xlib.CurrentTime, 0, 0)
            elif e.type == xlib.SelectionRequest:
                e.requestor.change_property(e.property, e.target, 8, uris)
                e.requestor.send_event(xevent.SelectionNotify(time=e.time, requestor=e.requestor, selection=e.selection, target=e.target, property=e.property))
            elif e.type == xlib.ClientMessage and e.client_type == atom("XdndFinished"):
                return bool(e.data[1][1] & 1)
        return False
    finally:
        display.close()


@test
def dropped_files_are_opened_and_a_broken_one_loses_nothing(home):
    scenario, config, broken = home / "a scenario.json", home / "config.json", home / "broken.json"
    scenario.write_text('{"method": "qlora", "max_length": 4096}')
    config.write_text(json.dumps(SMALL_MODEL))
    broken.write_text('{"method": "qlo')
    window = Window(home, "--lang", "en")
    try:
        assert drop(window, [scenario]), "not accepted"
        assert remembers(home, lambda s: s["method"] == "qlora" and s["max_length"] == 4096)
        assert drop(window, [config])
        assert remembers(home, lambda s: isinstance(s["model"], dict) and s["model"]["config"]["num_hidden_layers"] == 7)
        assert drop(window, [broken])
        time.sleep(3)
    finally:
        status = window.quit()
    assert status == 0
    assert settings(home)["scenario"]["method"] == "qlora"


class Resources:
    """The X server's resources, where a desktop says how dense the screen is."""

    def __init__(self, text):
        self.text = text.encode()

    def __enter__(self):
        x = self.x = ctypes.CDLL(ctypes.util.find_library("X11") or "libX11.so.6")
        x.XOpenDisplay.restype = ctypes.c_void_p
        x.XDefaultRootWindow.restype = x.XInternAtom.restype = ctypes.c_ulong
        self.display = ctypes.c_void_p(x.XOpenDisplay(X.display.encode()))
        self.root = ctypes.c_ulong(x.XDefaultRootWindow(self.display))
        self.atom = ctypes.c_ulong(x.XInternAtom(self.display, b"RESOURCE_MANAGER", 0))
        x.XChangeProperty(self.display, self.root, self.atom, ctypes.c_ulong(31), 8, 0, self.text, len(self.text))  # XA_STRING, replace
        x.XSync(self.display, 0)

    def __exit__(self, *_):
        self.x.XDeleteProperty(self.display, self.root, self.atom)
        self.x.XCloseDisplay(self.display)


@test
def a_dense_screen_gets_a_window_of_twice_the_pixels(home):
    with Resources("Xft.dpi:\t192\n"):
        window = Window(home, "--width", "600", "--height", "400", "--lang", "en")
        try:
            assert until(lambda: window.size() == (1200, 800), 5), window.size()
        finally:
            window.quit()
    assert (settings(home)["window"]["width"], settings(home)["window"]["height"]) == (600, 400), "remembered in layout units"


class Skip(Exception):
    """Why a test cannot be run here."""


@test
def the_window_equals_the_page_but_for_antialiasing(home):
    """With the pictures that tests/browser took of this state of the sources."""
    sources = max(f.stat().st_mtime for folder in ("src", "assets") for f in (ROOT / folder).rglob("*") if f.is_file())
    compared = 0
    for name, width, height, language, theme, scale in (("1440x900-en-light", 1440, 900, "en", "light", 1), ("1440x900-pt-dark", 1440, 900, "pt", "dark", 1),
                                                        ("1024x640-fr-light", 1024, 640, "fr", "light", 1), ("scale2", 1440, 900, "pt", "light", 2)):
        page = ARTIFACTS.parent / f"page-{name}.png"
        if not page.exists() or page.stat().st_mtime < sources:
            continue
        of_page = Image.open(page).convert("RGB")
        of_window = shoot(home, f"as-page-{name}", "--width", str(width), "--height", str(height), "--lang", language, "--theme", theme, "--scale", str(scale))
        assert of_page.size == of_window.size == (width * scale, height * scale), f"{page.name}: {of_page.size} and {of_window.size}"
        far = sum(max(abs(a - b) for a, b in zip(p, q)) > 64 for p, q in zip(of_page.getdata(), of_window.getdata())) / (of_page.width * of_page.height)
        assert far < 0.005, f"{page.name}: {far:.4f} of the pixels differ by more than antialiasing"
        compared += 1
    if compared == 0:
        raise Skip("no pictures of the page as it is now: tests/run browser window")


@test
def valgrind_finds_nothing_from_start_to_stop(home):
    """drivers.supp: what the loader and the OpenGL and X libraries do; nothing of ours is in it."""
    out = home / "picture.png"
    done = subprocess.run(["valgrind", "-q", "--error-exitcode=99", "--leak-check=full", "--errors-for-leak-kinds=definite", "--keep-debuginfo=yes",
                           f"--suppressions={ROOT / 'tests/window/drivers.supp'}", str(PROGRAM), "--lang", "en", "--width", "800", "--height", "600",
                           "--screenshot", str(out)], env=environment(home, DISPLAY=X.display), capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-4000:]
    assert Image.open(out).size == (800, 600)


def main():
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    wanted = sys.argv[2:]
    X.start()
    try:
        for function in TESTS:
            name = function.__name__.replace("_", " ")
            if wanted and not any(word in name for word in wanted):
                continue
            home = pathlib.Path(tempfile.mkdtemp(prefix="gpudget-home-"))
            started = time.time()
            try:
                function(home)
                result = "passed"
            except Skip as reason:
                print(reason)
                result = "skipped"
            except Exception:  # noqa: BLE001 - every failure is a failed test
                traceback.print_exc()
                result = "failed"
            shutil.rmtree(home, ignore_errors=True)
            counts[result] += 1
            print(f"{'ok' if result == 'passed' else result.upper()}: {name} ({time.time() - started:.1f} s)", flush=True)
    finally:
        X.stop()
    print("{passed} passed, {failed} failed, {skipped} skipped".format(**counts))
    return counts["failed"] > 0 or sum(counts.values()) == 0


sys.exit(main())
