#include "formats/text_version.h"

#include <array>

#include <fmt/format.h>

#include "course/chapter.h"
#include "formats/course_figures.h"
#include "formats/course_quiz.h"
#include "formats/course_sheet.h"
#include "formats/csv.h"
#include "formats/estimate_json.h"
#include "formats/export_json.h"
#include "formats/html_report.h"
#include "formats/json_text.h"
#include "formats/limit_json.h"
#include "formats/markdown.h"
#include "formats/one_of.h"
#include "formats/plan_json.h"
#include "formats/plan_text.h"
#include "formats/scenario_json.h"
#include "formats/share.h"
#include "i18n/numbers.h"

namespace gpudget::formats {
namespace {

using i18n::Language;
using i18n::Msg;
using std::string_view;

void file(JsonWriter& out, string_view name, string_view mime, string_view text) { out.field("name", name).field("mime", mime).field("text", text); }

Result<std::string> ways(string_view options, bool here, const Scenario& s, Language l) {
  auto read = read_plan_options(options, s);
  if (!read) return tl::unexpected(read.error());
  if (here) read->request.hardware = this_hardware(s, read->request.market);
  const PlanResult result = plan(read->request);
  JsonWriter out;
  out.open('{').key("rows").open('[');
  for (const PlanRow& r : result.front) {
    out.open('{').field("what", string_view(gpus_text(l, r.scenario))).field("how", string_view(way_text(l, r.scenario)));
    out.field("why", string_view(reasons_text(l, r))).field("time", string_view(i18n::duration(l, r.seconds_all_runs)));
    out.field("cost", string_view(i18n::money(l, r.usd_all_runs))).key("scenario").raw(write_scenario(r.scenario)).close('}');
  }
  const std::string n = i18n::integer(l, result.candidates), fit = i18n::integer(l, result.fitting);
  out.close(']').field("counted", string_view(i18n::format(l, Msg::plan_counted, {{"n", n}, {"fit", fit}}))).key("nothing");
  if (!result.front.empty()) return out.null().close('}').take();
  std::string words(i18n::text(l, Msg::plan_nothing));
  if (result.nearest) words += " " + nearest_text(l, *result.nearest);
  return out.value(string_view(words)).close('}').take();
}

Result<std::string> report(string_view kind, const Scenario& s, Language l) {
  static constexpr std::array<string_view, 4> kKinds{"markdown", "csv", "json", "html"};
  const Estimate e = estimate(s);
  JsonWriter out;
  out.open('{');
  if (kind == "markdown")
    file(out, "gpudget.md", "text/markdown", write_markdown(s, e, advise(s, e), l));
  else if (kind == "csv")
    file(out, "gpudget.csv", "text/csv", write_csv(s, e, l));
  else if (kind == "json")
    file(out, "gpudget.json", "application/json", write_estimate(s, e, advise(s, e), l));
  else if (kind == "html")
    file(out, "gpudget.html", "text/html", write_html_report(s, e, advise(s, e), l));
  else
    return unknown_name("to", kind, kKinds);
  return out.close('}').take();
}

void sheet(JsonWriter& out, const CourseSheet& s) {
  out.field("kind", "table").field("title", string_view(s.title)).field("rule", string_view(s.rule)).key("columns").open('[');
  for (const CourseColumn& c : s.columns) out.open('{').field("header", string_view(c.header)).field("numeric", c.numeric).close('}');
  out.close(']').key("rows").open('[');
  for (const auto& row : s.rows) {
    out.open('[');
    for (const std::string& cell : row) out.value(string_view(cell));
    out.close(']');
  }
  out.close(']').key("notes").open('[');
  for (const std::string& note : s.notes) out.value(string_view(note));
  out.close(']');
}

void quiz(JsonWriter& out, Language l) {
  out.field("kind", "quiz").key("questions").open('[');
  for (const QuizQuestion& q : quiz_questions(l)) {
    out.open('{').field("question", string_view(q.question)).key("options").open('[');
    for (const std::string& option : q.options) out.value(string_view(option));
    out.close(']').field("answer", static_cast<std::int64_t>(q.answer)).field("why", string_view(q.why)).key("scenario");
    out.raw(q.scenario.empty() ? "null" : string_view(q.scenario)).close('}');
  }
  out.close(']');
}

// The demonstrations answer to sliders and bars; the form and the tables of the text version are theirs, so that they are not said twice here.
std::string lesson(Language l) {
  JsonWriter out;
  out.open('{').key("sections").open('[');
  for (const course::Section& section : course::chapter()) {
    const std::string base = fmt::format("learn.{}.", section.id);
    const auto words = [&](string_view id) { return fill_course_figures(l, i18n::text_or(l, base + std::string(id), id)); };
    out.open('{').field("title", string_view(words("title"))).key("blocks").open('[');
    for (const course::Block& block : section.blocks) {
      const bool is_quiz = block.kind == course::BlockKind::demo && block.id == "quiz";
      if (block.kind == course::BlockKind::demo && !is_quiz) continue;
      out.open('{');
      switch (block.kind) {
        case course::BlockKind::paragraph: out.field("kind", "paragraph").field("text", string_view(words(block.id))); break;
        case course::BlockKind::bullet: out.field("kind", "bullet").field("text", string_view(words(block.id))); break;
        case course::BlockKind::formula: out.field("kind", "formula").field("text", string_view(words(block.id))); break;
        case course::BlockKind::code: out.field("kind", "code").field("text", course::code(block.id)); break;
        case course::BlockKind::table: sheet(out, course_sheet(l, block.id)); break;
        case course::BlockKind::demo: quiz(out, l); break;
      }
      out.close('}');
    }
    out.close(']').close('}');
  }
  return out.close(']').close('}').take();
}

std::string links(const Scenario& s, Language l, string_view page) {
  JsonWriter out;
  return out.open('{').field("link", string_view(share_link(s, page))).field("embed", string_view(embed_snippet(s, l, page))).close('}').take();
}

}  // namespace

Result<std::string> answer_text_version(string_view ask, string_view argument, const Scenario& s, Language language, string_view page) {
  static constexpr std::array<string_view, 7> kAsks{"limit", "plan", "plan_here", "export", "report", "learn", "link"};
  if (ask == "limit") return answer_limit(s, argument);
  if (ask == "plan" || ask == "plan_here") return ways(argument, ask == "plan_here", s, language);
  if (ask == "export") return answer_export(s, argument, page);
  if (ask == "report") return report(argument, s, language);
  if (ask == "learn") return lesson(language);
  if (ask == "link") return links(s, language, page);
  return unknown_name("ask", ask, kAsks);
}

}  // namespace gpudget::formats
