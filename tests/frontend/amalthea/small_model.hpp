// SPDX-License-Identifier: GPL-3.0-or-later
// Models of a few elements: one task on a GPU, of which a test changes a part.
#pragma once

#include <string>

namespace warpspan::test {

// <customProperties> of a text.
inline std::string property(const std::string& key, const std::string& value) {
  return "<customProperties key=\"warpspan." + key + "\"><value xsi:type=\"am:StringObject\" value=\"" + value +
         "\"/></customProperties>";
}

// <items> of calls.
inline std::string call(const std::string& runnable) {
  return "<items xsi:type=\"am:RunnableCall\" runnable=\"" + runnable + "?type=Runnable\"/>";
}

inline std::string access(const std::string& label, const std::string& access) {
  return "<items xsi:type=\"am:LabelAccess\" data=\"" + label + "?type=Label\" access=\"" + access + "\"/>";
}

inline std::string ticks(const std::string& most) {
  return "<items xsi:type=\"am:Ticks\"><default xsi:type=\"am:DiscreteValueConstant\" value=\"" + most + "\"/></items>";
}

inline std::string stimulus(const std::string& name, const std::string& type, const std::string& inner) {
  return "<stimuli xsi:type=\"am:" + type + "\" name=\"" + name + "\">" + inner + "</stimuli>";
}

inline std::string time(const std::string& element, const std::string& value, const std::string& unit) {
  return "<" + element + " value=\"" + value + "\" unit=\"" + unit + "\"/>";
}

// Each part stands in a line of its own, in this order from line 2 on.
struct SmallModel {
  std::string task_attributes = "stimuli=\"p?type=PeriodicStimulus\"";
  std::string task = property("stream", "1");  // of <tasks name="a">
  std::string calls = call("kernel");
  std::string kernel = property("blocks", "8");  // of <runnables name="kernel">
  std::string items = access("in", "read") + ticks("1000") + access("out", "write");
  std::string more_software;
  std::string labels =
      "<labels name=\"in\"><size value=\"1\" unit=\"KiB\"/></labels>"
      "<labels name=\"out\"><size value=\"33\" unit=\"bit\"/></labels>";
  std::string gpu = property("multiprocessors", "2") + property("blocks", "4") + property("copy_rate", "1000");
  std::string unit_attributes = "frequencyDomain=\"clock?type=FrequencyDomain\"";
  std::string clock = "<defaultValue value=\"1.0\" unit=\"GHz\"/>";
  std::string more_hardware;
  std::string stimuli = test::stimulus("p", "PeriodicStimulus", time("recurrence", "10", "ms"));
  std::string constraints;
  std::string allocation = "<taskAllocation task=\"a?type=Task\" scheduler=\"s?type=TaskScheduler\"/>";
  std::string more_mapping;
  std::string version = "1.0.0";

  std::string text() const {
    return "<am:Amalthea xmi:version=\"2.0\" xmlns:xmi=\"http://www.omg.org/XMI\" "
           "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
           "xmlns:am=\"http://app4mc.eclipse.org/amalthea/" +
           version + "\"><swModel>\n<tasks name=\"a\" " + task_attributes + ">\n" + task + "\n<activityGraph>\n" +
           calls + "\n</activityGraph></tasks>\n<runnables name=\"kernel\">\n" + kernel + "\n<activityGraph>\n" +
           items + "\n</activityGraph></runnables>\n" + more_software + "\n" + labels +
           "\n</swModel><hwModel>\n<definitions xsi:type=\"am:ProcessingUnitDefinition\" name=\"G\" puType=\"GPU\">\n" +
           gpu +
           "\n</definitions><structures name=\"board\">\n<modules xsi:type=\"am:ProcessingUnit\" name=\"gpu\" "
           "definition=\"G?type=ProcessingUnitDefinition\" " +
           unit_attributes + "/></structures>\n<domains xsi:type=\"am:FrequencyDomain\" name=\"clock\">\n" + clock +
           "\n</domains>\n" + more_hardware +
           "\n</hwModel><osModel><operatingSystems name=\"os\"><taskSchedulers "
           "name=\"s\"/></operatingSystems></osModel>"
           "<stimuliModel>\n" +
           stimuli + "\n</stimuliModel><constraintsModel>\n" + constraints +
           "\n</constraintsModel><mappingModel><schedulerAllocation scheduler=\"s?type=TaskScheduler\" "
           "responsibility=\"gpu?type=ProcessingUnit\"/>\n" +
           allocation + "\n" + more_mapping + "\n</mappingModel></am:Amalthea>\n";
  }
};

}  // namespace warpspan::test
